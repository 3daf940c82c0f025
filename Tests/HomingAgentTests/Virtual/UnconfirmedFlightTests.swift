import HomingDelivery
import HomingRuntime
import HomingSensors
import HomingTestKit
import Testing

@testable import HomingAgent

/// Locations between their sending and their receipt: the whole agent on a virtual clock.
@Suite(.serialized) struct UnconfirmedFlightTests {
    init() { LoopThread.start() }

    @Test(
        "A location that waits for its receipt alone is queued and not waiting, until its session ends"
    )
    @LoopActor func receipts() throws {
        let flight = try VirtualAgent()
        defer { flight.stop() }
        // Receipts come every two minutes: a moment between two of them.
        flight.drive(for: 600)
        for _ in 0..<4 where flight.agent.home.state.delivery.unconfirmed[.location] < 2 {
            flight.drive(for: 20, every: 10)
        }
        let sent = flight.agent.home.state
        try #require(
            sent.delivery.unconfirmed[.location] > 1, "each location had its receipt at once")
        #expect(sent.queued >= sent.delivery.unconfirmed[.location] && sent.waiting == 0)
        #expect(sent.homing.waiting == 0)
        #expect(StatusLine.text([sent]).contains("; 0 waiting;"), "\(StatusLine.text([sent]))")

        flight.home.homeAssistant.condition = .down
        flight.drive(for: 300)
        let lost = flight.agent.home.state
        #expect(lost.delivery.unconfirmed == RowCounts())
        #expect(lost.waiting == lost.queued && lost.waiting > sent.delivery.unconfirmed[.location])
    }
}
