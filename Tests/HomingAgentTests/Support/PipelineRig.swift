import HomeAssistantAPI
import HomingBase
import HomingConfiguration
import HomingHTTP
import HomingHealth
import HomingLocation
import HomingMachine
import HomingRegistration
import HomingRoutes
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// A pipeline with an outbox in memory. Its one endpoint takes requests and never answers, so that
/// each step of delivery is the test's.
@LoopActor final class PipelineRig {
    let outbox: InMemoryOutbox
    let pipeline: Pipeline
    let server: SilentServer
    private let http = HTTPClient(userAgent: "Homing/tests")

    /// - Parameter limit: rows that the outbox holds.
    init(limit: Int = .max) throws {
        outbox = InMemoryOutbox(limit: limit)
        server = try SilentServer()
        pipeline = Pipeline(settings: AgentSettings(Configuration()), outbox: outbox, seed: 1)
        let registration = Self.registration(server.url)
        pipeline.transport = try WebhookTransport(
            http: http, registration: registration, outboxID: "o")
        pipeline.chooser = WayChooser(registration: registration, Configuration())
        pipeline.updateWay(networkChanged: true)
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
        pipeline.observe(
            .position(
                PositionReport(
                    mode: .threeDimensional, time: SystemClock.now().unixTime - age,
                    latitude: 52 + metres / 111_195, longitude: 4.9, accuracy: 5, speed: 400)))
    }

    /// Whether the warning is raised, shown or not.
    func isRaised(_ warnable: Warnable) -> Bool { pipeline.health.isRaised(warnable) }

    /// The detail of a warning that is shown.
    func shown(_ warnable: Warnable) -> String? {
        pipeline.health.visible.first { $0.warnable == warnable }?.detail
    }

    func shutdown() {
        pipeline.shutdown()
        http.shutdown()
    }
}
