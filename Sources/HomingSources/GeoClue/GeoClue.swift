public import HomingBus
internal import HomingLocation
public import HomingMachine
public import HomingRuntime

/// A service that looks up where the machine is.
@LoopActor public protocol LookUpService: AnyObject {
    /// Asks once. The answer comes later, unless `cancel` comes first.
    func requestLookUp(_ answer: @escaping @LoopActor (LookUpStage.Answer) -> Void)

    /// Calls the question off. Nothing happens if there is no question.
    func cancel()
}

/// Asks GeoClue (org.freedesktop.GeoClue2) once where the machine is, and lets GeoClue go.
///
/// GeoClue answers nobody whose user has no agent: without a desktop, `GeoClueAgent` is that agent.
@LoopActor public final class GeoClue: LookUpService {
    static let name = "org.freedesktop.GeoClue2"
    static let manager = "/org/freedesktop/GeoClue2/Manager"
    private static let paths = "/org/freedesktop/GeoClue2/"
    /// GeoClue's levels below 6 are blurred on purpose; 8 is as exact as may be.
    private static let level: UInt32 = 8
    /// Seconds that GeoClue, once there, may take to admit a client whose user has an agent. A desktop's
    /// agent may come while GeoClue starts.
    private static let admission: Seconds = 3
    /// Metres: a less accurate answer is by the address of the network, and a better one may follow.
    private static let coarse = 1000.0
    /// Seconds for which a better answer is awaited.
    private static let betterWithin: Seconds = 10
    /// Milliseconds: longer than the question may take.
    private static let timeout: Int32 = 60_000

    private let bus: Bus
    private let clock: any Clockwork
    private let agent = GeoClueAgent()
    private var connection: OpaquePointer?
    private var answer: (@LoopActor (LookUpStage.Answer) -> Void)?
    private var calls: [PendingCall] = []
    private var timer: (any Alarm)?
    private var owner: NameWatch?
    private var moves: BusSignal?
    private var client: String?
    /// The most accurate answer so far.
    private var best: PositionReport?

    /// - Parameter bus: the system bus, which its maker opens.
    public init(bus: Bus, clock: any Clockwork) {
        self.bus = bus
        self.clock = clock
        bus.subscribe(self)
    }

    public func requestLookUp(_ answer: @escaping @LoopActor (LookUpStage.Answer) -> Void) {
        cancel()
        self.answer = answer
        guard let connection else { return finish(.failed("there is no system bus")) }
        var wasThere = false
        owner = NameWatch(Self.name, on: connection) { [weak self] owner in
            defer { wasThere = owner != nil }
            switch (owner, wasThere) {
            case (nil, true): self?.finish(.failed("GeoClue has gone"))
            case (.some, false): self?.awaitAdmission()
            default: break
            }
        }
        call("GetClient", of: "\(Self.name).Manager", at: Self.manager) { [weak self] values in
            guard let path = values.first?.text else {
                return self?.finish(.failed("GeoClue gives Homing no client")) ?? ()
            }
            self?.begin(path)
        }
    }

    public func cancel() {
        if let client, let connection {
            // Nobody waits for the answer: GeoClue forgets a client that has gone, too.
            calls = [
                .method(
                    "DeleteClient", of: "\(Self.name).Manager", at: Self.manager, Self.name,
                    [.path(client)], on: connection, completion: { _ in })
            ]
        } else {
            calls = []
        }
        (answer, timer, owner, moves, client, best) = (nil, nil, nil, nil, nil, nil)
    }

    private func finish(_ outcome: LookUpStage.Answer) {
        let answer = answer
        cancel()
        answer?(outcome)
    }

    // MARK: The steps

    /// Adds an agent of our own where no other lets our client in.
    private func awaitAdmission() {
        guard client == nil else { return }
        timer = clock.once(after: Self.admission) { [weak self] in self?.addAgent() }
    }

    private func addAgent() {
        timer = nil
        guard let connection, agent.export(on: connection) else {
            return finish(.failed("another program is GeoClue's agent"))
        }
        call(
            "AddAgent", of: "\(Self.name).Manager", at: Self.manager,
            [.string(GeoClueAgent.identity)]
        ) { _ in }
    }

    private func begin(_ path: String) {
        guard let connection, path.hasPrefix(Self.paths) else {
            return finish(.failed("GeoClue gives Homing no client"))
        }
        timer = nil
        client = path
        moves = BusSignal(
            "LocationUpdated", of: "\(Self.name).Client", at: path, from: Self.name, on: connection
        ) { [weak self] _, values, _ in
            if let place = values.last?.text { self?.read(place) }
        }
        let properties: [(String, BusArgument)] = [
            ("DesktopId", .string(GeoClueAgent.desktopID)),
            ("RequestedAccuracyLevel", .uint32(Self.level)),
        ]
        for (property, value) in properties {
            call(
                "Set", of: "org.freedesktop.DBus.Properties", at: path,
                [.string("\(Self.name).Client"), .string(property), .any(value)]
            ) { _ in }
        }
        call("Start", of: "\(Self.name).Client", at: path) { _ in }
    }

    private func read(_ place: String) {
        guard place.hasPrefix(Self.paths) else { return }
        call(
            "GetAll", of: "org.freedesktop.DBus.Properties", at: place,
            [.string("\(Self.name).Location")]
        ) { [weak self] values in
            guard let report = values.first?.table.map(PositionReport.init(geoClue:)) else {
                return
            }
            self?.weighReport(report)
        }
    }

    private func weighReport(_ report: PositionReport) {
        if report.accuracy ?? 0 <= Self.coarse { return finish(.located(report)) }
        if report.accuracy ?? 0 < best?.accuracy ?? .infinity { best = report }
        guard timer == nil else { return }
        timer = clock.once(after: Self.betterWithin) { [weak self] in
            if let best = self?.best { self?.finish(.located(best)) }
        }
    }

    private func call(
        _ method: String, of interface: String, at path: String, _ arguments: [BusArgument] = [],
        then: @escaping @LoopActor ([BusValue]) -> Void
    ) {
        guard let connection else { return }
        let call = PendingCall.method(
            method, of: interface, at: path, Self.name, arguments, starts: true,
            timeout: Self.timeout, on: connection
        ) { [weak self] outcome in
            switch outcome {
            case .success(let values): then(values)
            case .failure(let error):
                self?.finish(
                    error.isAccessDenied
                        ? .refused("GeoClue refuses \(method): \(error)") : .failed("\(error)"))
            }
        }
        calls.append(call)
    }
}

extension GeoClue: BusSubscriber {
    public func busConnected(_ connection: OpaquePointer) { self.connection = connection }

    public func busDisconnected() {
        connection = nil
        agent.withdraw()
        finish(.failed("the system bus has gone"))
    }
}

extension PositionReport {
    /// Reads GeoClue's `Location`: unknown values are large negative numbers, and an accuracy of 0 is
    /// unknown. With an accuracy that is no such number there is no place.
    init(geoClue properties: [String: BusValue]) {
        func number(_ name: String, atLeast least: Double) -> Double? {
            properties[name]?.number.flatMap { $0 >= least ? $0 : nil }
        }
        let accuracy = properties["Accuracy"].map(\.number) ?? 0
        let isPlace = accuracy.map { $0 >= 0 } ?? false
        self.init(
            mode: .twoDimensional, latitude: isPlace ? number("Latitude", atLeast: -90) : nil,
            longitude: number("Longitude", atLeast: -180),
            accuracy: accuracy.flatMap { $0 > 0 ? $0 : nil },
            altitude: number("Altitude", atLeast: -12_000), speed: number("Speed", atLeast: 0),
            course: number("Heading", atLeast: 0), source: .geoclue)
    }
}
