import HomingDelivery
import HomingHealth
import HomingLocation
import HomingMachine
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// A receiver under a roof: the whole agent on a virtual clock.
@Suite(.serialized) struct NoFixTests {
    init() { LoopThread.start() }

    @Test("An hour without a fix accepts nothing, asks nothing, is told, and is over with the next")
    @LoopActor func hour() throws {
        let flight = try VirtualAgent()
        defer { flight.stop() }
        flight.drive(for: 600)
        _ = try #require(try flight.drain(within: 160))
        flight.clock.pass(120)
        flight.home.forgetRequests()
        let accepted = try flight.positions().accepted
        let calls = flight.clock.count
        // With and without the place that some receivers still believe in.
        for second in 0...3600 {
            let isPlace = second.isMultiple(of: 2)
            flight.agent.machine.observe(
                .position(
                    PositionReport(
                        mode: .none, time: flight.clock.now().unixTime,
                        latitude: isPlace ? 10 : nil, longitude: isPlace ? 4.9 : nil,
                        accuracy: isPlace ? 5 : nil)))
            flight.clock.pass(1)
        }
        #expect(try flight.positions().accepted == accepted)
        #expect(flight.agent.machine.state.receiver.skipped[.noFix] == 3601)
        #expect(flight.home.requests.isEmpty)
        // The line for systemctl and the warning's review; no report has a call of its own.
        #expect(flight.clock.count - calls <= 3600 / 5 + 20)
        #expect(isTold(flight))
        flight.drive()
        flight.clock.pass(2)
        #expect(!isTold(flight))
        #expect(flight.home.homeAssistant.live.last == Int64(accepted + 1))
        #expect(try flight.violations() == [])
        printFigure(
            "3601 reports without a fix: 0 accepted, 0 requests, the next good one told within 2 s")
    }

    @LoopActor private func isTold(_ flight: VirtualAgent) -> Bool {
        flight.warnings.contains { $0.warnable == .noFix }
    }
}
