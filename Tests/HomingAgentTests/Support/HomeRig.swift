import HomeAssistantAPI
import HomingConfiguration
import HomingHTTP
import HomingHealth
import HomingLocation
import HomingMachine
import HomingNotifications
import HomingPush
import HomingRegistration
import HomingRoutes
import HomingRuntime
import HomingSensors
import HomingTestKit
import Testing

@testable import HomingAgent

/// A machine and its home with a queue in memory. The home's one endpoint takes requests and never
/// answers, so that each step of delivery is the test's.
@LoopActor final class HomeRig {
    let outbox: InMemoryOutbox
    let machine: Machine
    let home: Home
    let server: SilentServer
    let journal = PlayedJournal()
    /// Number of times that everything was delivered that could be.
    private(set) var drained = 0
    private let folder: TemporaryFolder

    /// Credentials of the home: no credential is given.
    nonisolated static let credentials = HomeCredentials(of: "home", isFirst: true, in: nil)

    /// - Parameters:
    ///   - limit: rows that the queue holds.
    ///   - clock: the time.
    init(limit: Int = .max, clock: any Clockwork = SystemClock()) throws {
        let outbox = InMemoryOutbox(limit: limit)
        self.outbox = outbox
        server = try SilentServer()
        folder = try TemporaryFolder()
        try RegistrationStore(directory: folder.path, credentials: Self.credentials).save(
            Self.registration(server.url))
        var configuration = Configuration()
        configuration.gpsd.enabled = false
        configuration.sensors.disable = ["all"]
        configuration.push.mode = .off
        configuration.push.plainHTTP = .never
        let surroundings = Surroundings(
            clock: clock, writeLine: journal.writer,
            folders: (state: folder.path, runtime: folder.path), seed: 1,
            observer: { PlayedObserver($3) }, queue: { _, _, _, _ in outbox })
        let home = Owner<Home>()
        machine = Machine(
            Machine.Settings(configuration, homes: [], choice: .init(any: [])), in: surroundings
        ) { home()?.handleMachineEvent($0) }
        let rig = Owner<HomeRig>()
        self.home = try Home(
            Home.Place(
                name: "home", identity: "0123456789abcdef", folders: surroundings.folders,
                credentials: Self.credentials, isFirst: true),
            configuration, surroundings, machine: machine
        ) {
            if case .drained = $0 { rig()?.drained += 1 }
        }
        home.set(self.home)
        rig.set(self)
        self.home.start()
    }

    static func registration(
        _ url: String, secret: String? = String(repeating: "ab", count: 32)
    ) -> Registration {
        Registration(
            instanceURL: url, cloudhookURL: nil, remoteUIURL: nil, webhookID: "w", secret: secret,
            deviceID: "d", deviceName: "Van", homeNetworks: [],
            authorization: Registration.Authorization(kind: .longLived, token: "t"))
    }

    /// A good fix so far north, with the time this machine has, or so many seconds before it. It is
    /// fast enough for every jump of a test.
    func fix(north metres: Double, age: Seconds = 0) {
        machine.observe(
            .position(
                PositionReport(
                    mode: .threeDimensional, time: home.clock.now().unixTime - age,
                    latitude: 52 + metres / 111_195, longitude: 4.9, accuracy: 5, speed: 400)))
    }

    /// Takes the route to Home Assistant away.
    func loseRoute() {
        home.delivery.use(nil, nil)
        home.delivery.chooseRoute(networkChanged: true)
    }

    /// Has Home Assistant at this address in place of the server, with the same registration.
    func useAddress(_ url: String) {
        home.delivery.use(RouteChooser(registration: Self.registration(url), home.configuration))
        home.delivery.chooseRoute(networkChanged: false)
    }

    /// Whether the warning of the machine or the home is raised, shown or not.
    func isRaised(_ warnable: Warnable) -> Bool {
        home.warnings.isRaised(warnable) || machine.isRaised(warnable)
    }

    /// The detail of a warning of the home that is shown.
    func shown(_ warnable: Warnable) -> String? {
        home.warnings.visible.first { $0.warnable == warnable }?.detail
    }

    func shutdown() {
        home.stop()
        machine.shutdown()
    }
}

extension Agent {
    /// The only home.
    var home: Home {
        guard let home = homes.only else { preconditionFailure("there are several homes") }
        return home
    }
}
