import HomeAssistantAPI
import HomingConfiguration
import HomingDelivery
import HomingHTTP
import HomingNotifications
import HomingRegistration
import HomingRoutes
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent
@testable import HomingPush

/// The token on its way to an endpoint over plain HTTP, which has to prove itself first.
@Suite struct TokenGateTests {
    init() { LoopThread.start() }

    /// A delivery whose Home Assistant does not answer yet, and a channel that wants the token.
    @LoopActor private final class Rig {
        var isOpening = true
        private(set) var exchanges = 0
        private(set) var tokens: [String] = []
        private let clock = VirtualClock()
        private let home: PlayedHome
        private let delivery: Delivery
        private let registration: Registration
        private lazy var gate = TokenGate(
            delivery, registration: registration, plainHTTP: .home, clock: clock
        ) { [weak self] _, _ in
            self?.exchanges += 1
            return .token("t")
        }

        init() {
            home = PlayedHome(clock)
            home.failure = .failed(.network("no route to host"))
            let rig = Owner<Rig>()
            delivery = Delivery(
                InMemoryOutbox(), settings: Delivery.Settings(),
                warnings: Warnings(log: PlayedJournal().makeLog(), clock: clock) {}, seed: 1,
                clock: clock
            ) { if case .changed = $0 { rig()?.deliveryChanged() } }
            var registration = HomeRig.registration("http://homeassistant.local:8123")
            registration.authorization = Registration.Authorization(kind: .refresh, token: "r")
            self.registration = registration
            delivery.use(home, RouteChooser(registration: registration, Configuration()))
            delivery.chooseRoute(networkChanged: true)
            rig.set(self)
        }

        private func deliveryChanged() { gate.deliveryChanged(channelIsOpening: isOpening) }

        func requestToken(andWait seconds: Seconds = 5) async throws {
            let endpoints = delivery.state.route?.endpoints.compactMap { ChannelEndpoint($0) } ?? []
            let endpoint = try #require(endpoints.first)
            gate.admit(endpoint) { [weak self] entry in
                if case .token(let token) = entry { self?.tokens.append(token) }
            }
            await pass(seconds)
        }

        /// Home Assistant is back, and gives the receipt.
        func heal() async {
            home.failure = nil
            await pass(30)
        }

        func pass(_ seconds: Seconds) async {
            clock.pass(seconds)
            for _ in 0..<100 { await Task.yield() }
        }

        /// Has pictures fetched by this gate.
        func lend(_ fetcher: PictureFetcher, _ client: HTTPClient) { fetcher.use(gate, client) }

        func giveUp() { gate.giveUpPages() }

        func shutdown() { delivery.shutdown() }
    }

    @Test(
        "A picture that waits for the token's endpoint is given up although its home is gone by then"
    )
    @LoopActor func homeGone() async throws {
        let folder = try TemporaryFolder()
        let client = HTTPClient(userAgent: "Homing/tests")
        defer { client.shutdown() }
        let fetcher = PictureFetcher(folder: folder.path, log: PlayedJournal().makeLog())
        let link = try #require(Link("/api/camera_proxy/camera.a"))
        var rig: Rig? = Rig()
        rig?.lend(fetcher, client)
        let path = spawn { await fetcher.fetch(link) }
        await rig?.pass(1)
        rig?.giveUp()
        rig = nil
        #expect(await path.value == nil)
    }

    @Test("A channel that waits for the receipt gets the token when there is one")
    @LoopActor func waits() async throws {
        let rig = Rig()
        defer { rig.shutdown() }
        try await rig.requestToken()
        #expect(rig.exchanges == 0)
        await rig.heal()
        #expect(rig.exchanges == 1 && rig.tokens == ["t"])
    }

    @Test("A channel that has given up gets none: no token is exchanged for it")
    @LoopActor func gaveUp() async throws {
        let rig = Rig()
        defer { rig.shutdown() }
        try await rig.requestToken()
        rig.isOpening = false
        await rig.heal()
        #expect(rig.exchanges == 0)
    }

    @Test("A receipt of a moment before does not vouch: another is asked for")
    @LoopActor func fresh() async throws {
        let rig = Rig()
        defer { rig.shutdown() }
        try await rig.requestToken()
        await rig.heal()
        try await rig.requestToken(andWait: 0)
        #expect(rig.tokens.count == 1)
        await rig.pass(1)
        #expect(rig.tokens.count == 2)
    }
}
