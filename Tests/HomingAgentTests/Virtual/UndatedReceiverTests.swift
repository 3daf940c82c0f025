import HomingControl
import HomingDelivery
import HomingHealth
import HomingLocation
import HomingReports
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// A receiver that tells no date: the whole agent on a virtual clock.
@Suite(.serialized) struct UndatedReceiverTests {
    init() { LoopThread.start() }

    /// Drives with one report a second, without a date, and each 10 m further.
    @LoopActor private func drive(_ flight: VirtualAgent, for seconds: Int, pace: Double = 10) {
        for _ in 0..<seconds {
            flight.carry(pace)
            flight.agent.machine.observe(flight.undatedFix())
            flight.clock.pass(1)
        }
    }

    @LoopActor private func warning(_ flight: VirtualAgent) -> String? {
        flight.warnings.first { $0.warnable == .fixesSkipped }?.detail
    }

    @LoopActor private func status(_ flight: VirtualAgent) -> String {
        StatusText(
            report: flight.agent.status(), now: flight.clock.now().unixTime
        ).text
    }

    @Test("Where the clock is not set, two minutes of its fixes raise a warning that says so")
    @LoopActor func clockNotSet() throws {
        let flight = try VirtualAgent()
        defer { flight.stop() }
        flight.observer.isClockSet = false
        drive(flight, for: 119)
        #expect(warning(flight) == nil)
        drive(flight, for: 3)
        #expect(warning(flight)?.contains("clock") == true)
        #expect(try flight.positions().accepted == 0)
        #expect(status(flight).contains("All fixes of the GPS receiver are skipped"))
        #expect(!flight.warnings.contains { $0.warnable == .noFix })
        flight.drive()
        #expect(warning(flight) == nil, "a dated fix ends it")
    }

    @Test("Where the clock is set, they are accepted and marked, in the status and in the track")
    @LoopActor func clockSet() throws {
        let flight = try VirtualAgent()
        defer { flight.stop() }
        flight.observer.isClockSet = true
        drive(flight, for: 60)
        #expect(try flight.positions().accepted > 10)
        #expect(flight.agent.status().position.timeSource == "arrival")
        #expect(status(flight).contains("the receiver sends no time: the time of arrival counts"))
        let track = try flight.agent.track.page(from: 0, to: 4e9, after: nil).trackPoints
        #expect(track.count > 10 && track.allSatisfy { $0.timeSource == .arrival })
        #expect(warning(flight) == nil)
    }

    @Test("A receiver that hangs is called frozen, and its place is not told again")
    @LoopActor func frozen() throws {
        let flight = try VirtualAgent()
        defer { flight.stop() }
        flight.observer.isClockSet = true
        drive(flight, for: 60)
        drive(flight, for: 62, pace: 0)
        let accepted = try flight.positions().accepted
        #expect(status(flight).contains("frozen: the receiver has repeated one location for"))
        drive(flight, for: 1800, pace: 0)
        #expect(try flight.positions().accepted == accepted)
        #expect(warning(flight)?.contains("equal to the last digit") == true)
        drive(flight, for: 3)
        #expect(try flight.positions().accepted > accepted)
        #expect(warning(flight) == nil)
    }

    @Test("Fixes that are all too inaccurate raise the warning, with that reason")
    @LoopActor func inaccurate() throws {
        let flight = try VirtualAgent()
        defer { flight.stop() }
        for _ in 0..<125 {
            flight.agent.machine.observe(flight.fix(accuracy: 900))
            flight.clock.pass(1)
        }
        #expect(warning(flight)?.contains("max_accuracy") == true)
    }
}
