import HomeAssistantAPI
import HomingControl
import HomingDelivery
import HomingHealth
import HomingJSON
import HomingMachine
import HomingPush
import HomingRegistration
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent
@testable import HomingRoutes

/// A registration without a secret, for days: the whole agent on a virtual clock.
@Suite(.serialized) struct EncryptionTests {
    init() { LoopThread.start() }

    private static let day: Seconds = 86_400
    private static let secret = String(repeating: "cd", count: 32)

    /// Drives for so long; after each quarter of an hour the loop does what was left to it.
    @LoopActor private func drive(_ flight: VirtualAgent, for seconds: Seconds) async {
        for _ in 0..<Int(seconds / 900) {
            flight.drive()
            flight.clock.pass(900)
            await Watch.pause(0.005)
        }
    }

    private func refusal(_ code: String) -> DirectCall<JSONValue>.Reply {
        .refused(.object(["success": .boolean(false), "error": .object(["code": .string(code)])]))
    }

    @LoopActor private func unsealed() throws -> VirtualAgent {
        try VirtualAgent(
            registration: HomeRig.registration("https://ha.example.org", secret: nil))
    }

    @Test("Without a secret it asks for one at the start and daily, until it has one")
    @LoopActor func daily() async throws {
        let flight = try unsealed()
        defer { flight.stop() }
        flight.home.secretReply = refusal("other")
        let start = flight.clock.now().uptime
        await drive(flight, for: 2.5 * Self.day)
        let asked = flight.home.secretsAsked.map { ($0 - start) / 3600 }
        #expect(asked.count == 3, "\(asked)")
        // When Home Assistant says something: it is asked for its configuration every hour.
        let pauses = zip(asked.dropFirst(), asked).map { $0 - $1 }
        #expect(pauses.allSatisfy { (24...25.5).contains($0) }, "\(asked)")
        flight.home.secretReply = .opened(.object(["secret": .string(Self.secret)]))
        await drive(flight, for: Self.day)
        #expect(flight.agent.home.keeper.registration?.secret == Self.secret)
        await drive(flight, for: 2 * Self.day)
        #expect(flight.home.secretsAsked.count == 4)
    }

    @Test("A Home Assistant that cannot seal is asked again after a start only")
    @LoopActor func never() async throws {
        let flight = try unsealed()
        defer { flight.stop() }
        flight.home.secretReply = refusal("encryption_not_available")
        await drive(flight, for: 3 * Self.day)
        #expect(flight.home.secretsAsked.count == 1)
        try flight.restart()
        await drive(flight, for: 3600)
        #expect(flight.home.secretsAsked.count == 2)
    }

    /// A registration without a secret for an address in plain HTTP, on a network of home's name.
    @LoopActor private func atHome(_ url: String) throws -> VirtualAgent {
        var registration = HomeRig.registration(url, secret: nil)
        registration.homeNetworks = [.init(ssid: "HomeNet")]
        let flight = try VirtualAgent(registration: registration)
        flight.home.secretReply = .opened(.object(["secret": .string(Self.secret)]))
        flight.agent.machine.observe(
            .network(
                .known(
                    .init(
                        primary: .wifi(ssid: "HomeNet", bssid: "02:00:00:00:09:00"),
                        connectivity: .full, metered: false))))
        return flight
    }

    @Test("On a network of home's name nobody is asked for a secret over plain HTTP unasked")
    @LoopActor func copiedName() async throws {
        let flight = try atHome("http://192.168.1.2:8123")
        defer { flight.stop() }
        flight.home.homeAssistant.cloudhookURL = nil
        flight.home.homeAssistant.remoteUIURL = nil
        await drive(flight, for: 3 * Self.day)
        #expect(flight.agent.home.delivery.state.route?.place.isHome == true)
        #expect(flight.home.secretsAsked == [])
        #expect(flight.agent.home.keeper.registration?.secret == nil)
        #expect(warnings(flight).contains(.unencrypted))
    }

    @Test("A person may take it over plain HTTP: then it is warned of, and believed in nothing")
    @LoopActor func confirmed() async throws {
        let flight = try atHome("http://192.168.1.2:8123")
        defer { flight.stop() }
        await drive(flight, for: 3600)
        let asked = try await flight.agent.home.upkeep.secret.requestSecret(.asked)
        #expect(asked.unconfirmed == "192.168.1.2" && flight.home.secretsAsked == [])
        let taken = try await flight.agent.home.upkeep.secret.requestSecret(.confirmed)
        #expect(taken.unconfirmed == nil && !taken.isProven)
        #expect(flight.agent.home.keeper.registration?.secret == Self.secret)
        await drive(flight, for: Self.day)
        #expect(warnings(flight).contains(.secretUnproven))
        // Another host may have given the secret: its address would be given the token.
        #expect(flight.agent.home.keeper.registration?.remoteUIURL == nil)
        try flight.restart()
        #expect(warnings(flight).contains(.secretUnproven))
        let endpoint = Endpoint(
            kind: .instance, webhookURL: "http://192.168.1.2:8123/api/webhook/w", isAuthentic: false
        )
        guard case .refused? = flight.agent.home.push.permission(for: endpoint) else {
            Issue.record("the token goes")
            return
        }
    }

    @LoopActor private func warnings(_ flight: VirtualAgent) -> [Warnable] {
        flight.warnings.map(\.warnable)
    }
}
