import HomingControl
import HomingCrypto
import HomingHealth
import HomingPush
import HomingRegistration
import HomingRelayProtocol
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// A relay that means ill, or somebody on the way to it: the whole agent, real sockets and seals.
@Suite(.serialized) struct HostileRelayTests {
    init() { LoopThread.start() }

    @LoopActor private func join(
        _ flight: VirtualAgent, at url: String, overPlainHTTP: Bool = false
    ) async throws(ControlError) -> JoinRelayResult {
        try await flight.agent.home.joinRelay(
            .init(url: url, code: nil, newKey: false, overPlainHTTP: overPlainHTTP), place: nil)
    }

    @LoopActor private func failure(_ flight: VirtualAgent, at url: String) async -> ControlError? {
        do throws(ControlError) {
            _ = try await join(flight, at: url)
            return nil
        } catch { return error }
    }

    @LoopActor private func settle(
        _ flight: VirtualAgent, _ isSo: () throws -> Bool
    ) async throws {
        try await flight.turn {
            flight.clock.pass(0.02)
            return try isSo()
        }
    }

    @Test("A relay that gives another machine's grant, or none that opens, is not joined")
    @LoopActor func otherGrant() async throws {
        let relay = try PlayedRelay()
        let flight = try VirtualAgent()
        defer { flight.stop() }
        let ring = try TokenRing.random()
        let sealer = ParcelSealer(ring: ring)
        let token = try #require(ring.token(for: KeyPair().publicKey, generation: 0))
        for grant in [try sealer.grant(token, at: 0), [], [UInt8](repeating: 7, count: 200)] {
            relay.otherGrant = grant
            let error = await failure(flight, at: relay.url)
            #expect(error?.message.contains("not for this machine") == true)
        }
        #expect(flight.agent.home.relay.membership == nil && flight.home.told.isEmpty)
    }

    @Test("A relay by an issuer that is not trusted here is told with the key of the configuration")
    @LoopActor func unknownIssuer() {
        let error = ControlError(RelayFailure.untrusted("not trusted here"), at: "relay.example")
        #expect(error.exitCode == .unavailable && error.message.contains("not trusted here"))
        #expect(error.hint?.contains("ca_file under [home_assistant]") == true)
    }

    @Test("Home Assistant is not had to post over plain HTTP unless a person agreed")
    @LoopActor func downgrade() async throws {
        let relay = try PlayedRelay()
        let flight = try VirtualAgent()
        defer { flight.stop() }
        relay.pushURL = "http://relay.example/v1/push"
        let error = try #require(await failure(flight, at: relay.url))
        #expect(error.exitCode == .refused && error.message.contains("relay.example"))
        #expect(error.hint?.contains("--insecure-http") == true)
        #expect(flight.agent.home.relay.membership == nil && flight.home.told.isEmpty)
        let result = try await join(flight, at: relay.url, overPlainHTTP: true)
        #expect(result.isPlainHTTP)
    }

    @Test(
        "An address for Home Assistant that is none, or holds a name or a query, is refused",
        arguments: [
            "", "ftp://x/push", "relay.example/v1/push", "https://user@x/push", "https://x/push?y",
            "https://x/a b",
            "file:///etc",
        ])
    @LoopActor func strangeAddress(_ address: String) async throws {
        let relay = try PlayedRelay()
        let flight = try VirtualAgent()
        defer { flight.stop() }
        relay.pushURL = address
        #expect(await failure(flight, at: relay.url) != nil)
        #expect(flight.agent.home.relay.membership == nil)
    }

    @Test(
        "A redirect is not followed, neither by a machine that joins nor at its mailbox",
        arguments: [301, 302, 307, 308])
    @LoopActor func redirect(_ status: Int) async throws {
        let relay = try PlayedRelay()
        let flight = try VirtualAgent(relay: .hold)
        defer { flight.stop() }
        relay.status = status
        #expect(await failure(flight, at: relay.url)?.message.contains("\(status)") == true)
        #expect(relay.joins == 0)
    }

    @Test("The relay's name is one line of at most 255 bytes, and gives no order to a terminal")
    @LoopActor func name() async throws {
        let relay = try PlayedRelay()
        let flight = try VirtualAgent()
        defer { flight.stop() }
        relay.name = "Club\nHome Assistant is told.\u{1B}[2J" + String(repeating: "x", count: 1000)
        let name = try #require(try await join(flight, at: relay.url).name)
        #expect(!name.contains("\n") && !name.contains("\u{1B}") && name.utf8.count <= 255)
    }

    @Test("A relay that is joined again by itself does not change where Home Assistant posts")
    @LoopActor func rejoinElsewhere() async throws {
        let relay = try PlayedRelay()
        let flight = try VirtualAgent(relay: .hold)
        defer { flight.stop() }
        _ = try await join(flight, at: relay.url)
        try await settle(flight) { flight.agent.home.relay.isOpen }
        let before = try #require(flight.agent.home.relay.membership)
        relay.pushURL = "https://elsewhere.example/v1/push"
        try relay.loseKeys()
        relay.drop()
        try await settle(flight) { relay.joins == 2 }
        try await settle(flight) { flight.agent.home.warnings.isRaised(.relayRefused) }
        for _ in 0..<50 {
            flight.clock.pass(1)
            await Watch.pause(0.002)
        }
        #expect(flight.agent.home.relay.membership == before)
    }

    @Test(
        "Over plain HTTP a refused token is a person's matter: anybody on the way could refuse it")
    @LoopActor func rejoinOverPlainHTTP() async throws {
        let relay = try PlayedRelay()
        let flight = try VirtualAgent(relay: .hold)
        defer { flight.stop() }
        // The same machine, by an address that is not known to be that.
        let url = relay.url.replacing("127.0.0.1", with: "[::ffff:127.0.0.1]")
        _ = try await join(flight, at: url, overPlainHTTP: true)
        try await settle(flight) { flight.agent.home.relay.isOpen }
        let before = try #require(flight.agent.home.relay.membership)
        try relay.loseKeys()
        relay.drop()
        try await settle(flight) { flight.agent.home.warnings.isRaised(.relayRefused) }
        for _ in 0..<50 {
            flight.clock.pass(1)
            await Watch.pause(0.002)
        }
        #expect(relay.joins == 1 && flight.agent.home.relay.membership == before)
    }

    @Test(
        "No spelling of an order, and no nesting, gets one past [push] relay_commands",
        arguments: [
            #""request_location_update""#, #""Request_location_update""#,
            #"" request_location_update""#,
            #""request_location_update\n""#, #""request_location_update\u0000""#,
            #""request_location_updates""#, #"["request_location_update"]"#,
            #"{"message":"request_location_update"}"#,
        ])
    @LoopActor func orders(_ message: String) async throws {
        let relay = try PlayedRelay()
        let flight = try VirtualAgent(relay: .hold, relayCommands: ["command_update_sensors"])
        defer { flight.stop() }
        _ = try await join(flight, at: relay.url)
        flight.drive(for: 60)
        flight.clock.pass(120)
        let watched = flight.observer.watched
        let token = try #require(flight.agent.home.relay.membership).token
        let data = [
            #"{}"#, #"{"command":"request_location_update"}"#,
            #"{"tag":"request_location_update"}"#,
            #"{"message":"request_location_update","data":{"message":"request_location_update"}}"#,
        ]
        for data in data {
            relay.store(
                #"{"message":\#(message),"data":\#(data),"registration_info":{"webhook_id":"w"}}"#,
                for: token)
        }
        try await settle(flight) { relay.acknowledged.count == data.count }
        #expect(flight.observer.watched == watched)
    }
}
