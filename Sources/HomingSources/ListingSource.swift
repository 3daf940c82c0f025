public import HomingBus
public import HomingMachine
public import HomingRuntime

/// Watches the objects that a service lists (UPower's devices, logind's sessions) as they come, go and
/// change, and delivers an observation of them whenever the observation is another one.
@LoopActor public final class ListingSource: Source {
    private let bus: Bus
    private let service: String
    private let place: (path: String, interface: String)
    private let method: String
    private let interface: String
    private let paths: @Sendable ([BusValue]) -> [String]
    private let read: @Sendable ([[String: BusValue]]?) -> Observation
    private let deliver: @LoopActor (Observation) -> Void
    private var connection: OpaquePointer?
    private var manager: BusObject?
    private var calls: [PendingCall] = []
    private var listing: PendingCall?
    private var objects: [String: BusObject] = [:]
    /// Paths whose objects are being looked at for the first time.
    private var awaited: Set<String> = []
    private var delivered: Observation?

    /// - Parameters:
    ///   - bus: the bus the service is on; whoever made it opens it.
    ///   - service: its name on the bus.
    ///   - manager: the object that lists, and whose signals say that one came or went.
    ///   - method: of the manager's, without arguments.
    ///   - interface: of the objects that are listed.
    ///   - paths: theirs in the method's answer.
    ///   - read: makes the observation of the properties of all objects, in the order of their paths;
    ///     `nil` while the service or the bus is away.
    init(
        bus: Bus, service: String, manager: (path: String, interface: String), method: String,
        interface: String, paths: @escaping @Sendable ([BusValue]) -> [String],
        deliver: @escaping @LoopActor (Observation) -> Void,
        read: @escaping @Sendable ([[String: BusValue]]?) -> Observation
    ) {
        self.bus = bus
        self.service = service
        place = manager
        self.method = method
        self.interface = interface
        self.paths = paths
        self.deliver = deliver
        self.read = read
    }

    /// Begins to watch: joins the bus, open or not yet.
    public func start() { bus.subscribe(self) }

    /// Ends it; nothing is delivered after that, until it is started again.
    public func shutdown() {
        bus.unsubscribe(self)
        release()
        delivered = nil
    }

    private func release() {
        connection = nil
        calls.forEach { $0.cancel() }
        calls = []
        listing?.cancel()
        listing = nil
        manager = nil
        objects = [:]
        awaited = []
    }

    /// Asks for the list anew; each of the manager's signals may mean another one.
    private func list() {
        guard let connection, let manager else { return }
        guard manager.isOwned else {
            objects = [:]
            awaited = []
            return note(nil)
        }
        listing = PendingCall.method(
            method, of: place.interface, at: place.path, service,
            on: connection
        ) { [weak self] outcome in
            guard let self else { return }
            switch outcome {
            case .success(let answer):
                self.show(Set(self.paths(answer).prefix(Bound.busObjects)))
            case .failure(let error):
                Log.debug("\(self.service) does not list: \(error)")
                self.note(nil)
            }
        }
    }

    private func show(_ paths: Set<String>) {
        objects = objects.filter { paths.contains($0.key) }
        awaited.formIntersection(paths)
        for path in paths.sorted() where objects[path] == nil && !awaited.contains(path) {
            look(at: path)
        }
        tell()
    }

    private func look(at path: String) {
        guard let connection else { return }
        awaited.insert(path)
        calls.append(
            BusObject.look(
                at: path, interface, of: service, on: connection,
                changed: { [weak self] in self?.tell() },
                completion: { [weak self] outcome in
                    guard let self, self.awaited.remove(path) != nil else { return }
                    self.objects[path] = try? outcome.get()
                    self.tell()
                }))
    }

    /// Tells once all are there: fewer would be a state that never was.
    private func tell() {
        guard awaited.isEmpty else { return }
        calls = []
        note(objects.sorted { $0.key < $1.key }.map { $0.value.properties })
    }

    private func note(_ objects: [[String: BusValue]]?) {
        let observation = read(objects)
        guard delivered != observation else { return }
        delivered = observation
        deliver(observation)
    }
}

extension ListingSource: BusSubscriber {
    public func busConnected(_ connection: OpaquePointer) {
        release()
        self.connection = connection
        calls = [
            BusObject.look(
                at: place.path, place.interface, of: service, on: connection,
                changed: { [weak self] in self?.list() },
                completion: { [weak self] outcome in
                    self?.manager = try? outcome.get()
                    self?.list()
                })
        ]
    }

    public func busDisconnected() {
        release()
        note(nil)
    }
}
