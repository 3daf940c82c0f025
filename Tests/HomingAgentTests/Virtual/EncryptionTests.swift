import HomeAssistantAPI
import HomingCore
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

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
            var timer: Watch?
            await withCheckedContinuation { continuation in
                timer = Watch.timer(0.005) {
                    continuation.resume()
                    return .done
                }
            }
            timer?.cancel()
        }
    }

    private func refusal(_ code: String) -> DirectCall.Reply {
        .refused(Array(#"{"success":false,"error":{"code":"\#(code)"}}"#.utf8))
    }

    @LoopActor private func unsealed() throws -> VirtualAgent {
        try VirtualAgent(
            registration: PipelineRig.registration("https://ha.example.org", secret: nil))
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
        flight.home.secretReply = .opened(Array("{\"secret\":\"\(Self.secret)\"}".utf8))
        await drive(flight, for: Self.day)
        #expect(flight.agent.registration?.secret == Self.secret)
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
}
