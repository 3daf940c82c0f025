import HomingConfiguration
import HomingHTTP
import HomingNotifications
import HomingPush
import HomingRegistration
import HomingRoutes
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Requests for pictures: those that reach a real server, and those that carry the token.
@Suite(.serialized) struct PictureFetcherTests {
    init() { LoopThread.start() }

    /// A fetcher whose Home Assistant is this server, which may have the token.
    @LoopActor private final class Rig {
        let server: RecordingServer
        let fetcher: PictureFetcher
        private let folder: TemporaryFolder
        private let http = HTTPClient(userAgent: "Homing/tests")
        private let delivery: Delivery

        init() throws {
            server = try RecordingServer()
            folder = try TemporaryFolder()
            // The server gives no receipt, so nothing may ask for one.
            let registration = HomeRig.registration(server.url, secret: nil)
            let clock = SystemClock()
            delivery = Delivery(
                InMemoryOutbox(), settings: Delivery.Settings(),
                warnings: Warnings(log: PlayedJournal().makeLog(), clock: clock) {}, seed: 1,
                clock: clock
            ) { _ in }
            let transport = try WebhookTransport(
                TransportParts(
                    http: http, registration: registration, outboxID: "o",
                    socket: SocketCarrier(clock: clock) { nil }))
            delivery.use(transport, RouteChooser(registration: registration, Configuration()))
            delivery.chooseRoute(networkChanged: true)
            fetcher = PictureFetcher(folder: folder.path, log: PlayedJournal().makeLog())
            let gate = TokenGate(
                delivery, registration: registration, plainHTTP: .never, clock: clock,
                exchange: { _, _ in .refused("there is none") })
            fetcher.use(gate, http)
        }

        func fetch(_ link: Link) async { _ = await fetcher.fetch(link) }

        func shutdown() {
            delivery.shutdown()
            http.shutdown()
        }
    }

    @Test("The token goes with a page below /api/, and with no other")
    @LoopActor func token() async throws {
        let rig = try Rig()
        defer { rig.shutdown() }
        for path in ["/api/camera_proxy/camera.a", "/local/a.png"] {
            await rig.fetch(try #require(Link(path)))
            await rig.fetch(try #require(Link(rig.server.url + path)))
        }
        #expect(
            rig.server.pages.map { $0.contains("Authorization: Bearer t") } == [
                true, true, false, false,
            ])
    }

    @Test("A path is asked for as it was compared, and none that leads out of /api/ has the token")
    @LoopActor func asCompared() async throws {
        let rig = try Rig()
        defer { rig.shutdown() }
        let paths = [
            "/api/../pic/../picx?y", "/api/%2e%2e/pic", "/api/..%2fpic", "/api/.%2E/pic",
            "/api/x/%252e%252e/%252e%252e/pic",
        ]
        for path in paths {
            for text in [path, rig.server.url + path] where Link(text) != nil {
                await rig.fetch(try #require(Link(text)))
            }
            // As an earlier version may have stored them.
            await rig.fetch(.web(rig.server.url + path))
            await rig.fetch(.homeAssistant(path: path))
        }
        let sent = rig.server.pages.filter { $0.contains("Authorization") }
        #expect(sent == [])
        #expect(rig.server.lines == paths.flatMap { ["GET \($0) HTTP/1.1", "GET \($0) HTTP/1.1"] })
    }

    @Test("A picture on this machine is fetched from Home Assistant alone")
    @LoopActor func ownMachine() async throws {
        let rig = try Rig()
        defer { rig.shutdown() }
        let other = try RecordingServer()
        let port = other.url.split(separator: ":").last ?? ""
        for host in ["127.0.0.1", "localhost", "127.1", "[::ffff:127.0.0.1]"] {
            await rig.fetch(try #require(Link("http://\(host):\(port)/api/a.png")))
        }
        #expect(other.heads == [])
        await rig.fetch(try #require(Link("\(rig.server.url)/local/a.png")))
        #expect(rig.server.lines == ["GET /local/a.png HTTP/1.1"])
    }
}
