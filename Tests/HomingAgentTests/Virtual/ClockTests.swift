import HomingConfiguration
import HomingControl
import HomingDelivery
import HomingHealth
import HomingRoutes
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// A wall clock that is wrong, and is set right: the whole agent on a virtual clock.
@Suite(.serialized) struct ClockTests {
    init() { LoopThread.start() }

    private static let decade: Seconds = 10 * 365.25 * 86400

    /// Expects that the times told to people hold, whatever the clock says.
    @LoopActor private func expectAges(_ flight: VirtualAgent) {
        let report = flight.agent.status()
        #expect(report.uptime >= 0 && (report.position.age ?? 0) >= 0)
        for home in report.homes {
            #expect(home.queues.allSatisfy { ($0.oldestAge ?? 0) >= 0 })
            #expect((home.nextAttempt ?? 0) <= 900)
        }
    }

    @Test(
        "A clock ten years wrong, and right again, makes no burst and no pause",
        arguments: [
            decade, -decade,
        ])
    @LoopActor func steps(error: Seconds) throws {
        let flight = try VirtualAgent()
        defer { flight.stop() }
        flight.drive(for: 600)
        let usual = flight.home.most(in: 60)
        flight.home.forgetRequests()
        flight.clock.step(by: error)
        flight.drive(for: 3600, wrongBy: error)
        expectAges(flight)
        // Nobody can tell how old a fix is: the warning says why nothing is told.
        #expect(try flight.positions().accepted == 20)
        let warning: Warnable = error > 0 ? .clockAhead : .clockBehind
        #expect(flight.warnings.contains { $0.warnable == warning })
        flight.clock.step(by: -error)
        flight.drive(for: 600)
        #expect(try flight.positions().accepted == 40)
        #expect(flight.home.most(in: 60) <= usual)
        _ = try #require(try flight.drain(within: 160))
        #expect(flight.warnings.isEmpty)
        #expect(try flight.violations() == [])
        printFigure(
            "\(error > 0 ? "+" : "-")10 years: \(flight.home.most(in: 60)) requests a minute")
    }

    @Test("What is queued survives a step of ten years, either way", arguments: [decade, -decade])
    @LoopActor func queued(error: Seconds) throws {
        let flight = try VirtualAgent()
        defer { flight.stop() }
        flight.home.failure = .failed(.network("no route to host"))
        flight.drive(for: 1200)
        flight.clock.step(by: error)
        flight.clock.pass(600)
        expectAges(flight)
        flight.home.failure = nil
        flight.home.forgetRequests()
        let seconds = try #require(try flight.drain(within: 310))
        let ledger = try flight.positions()
        #expect(ledger.accepted == 40)
        #expect(ledger[.deliveredLive] + ledger[.deliveredTrack] == 40)
        #expect(try flight.violations() == [])
        printFigure(
            "40 queued across a step of ten years: all home \(Int(seconds)) s after the route was back"
        )
    }

    @Test("A machine that boots in 1970 tells its position once it has learnt the time")
    @LoopActor func epoch() throws {
        let now = 1_800_000_000.0
        let flight = try VirtualAgent(unixTime: 5)
        defer { flight.stop() }
        flight.drive(for: 900, wrongBy: 5 - now)
        expectAges(flight)
        #expect(try flight.positions().accepted == 0)
        let most = flight.home.most(in: 60)
        flight.home.forgetRequests()
        flight.clock.step(by: now - 5)
        flight.drive()
        let seconds = try #require(try flight.drain(within: 30))
        #expect(try flight.positions()[.deliveredLive] == 1)
        flight.drive(for: 600)
        #expect(flight.home.most(in: 60) <= most + 6)
        #expect(try flight.violations() == [])
        printFigure("told \(Int(seconds)) s after the clock was set")
    }

    @Test(
        "With durability = crash no row waits longer than 80 s for the disk",
        arguments: [
            0, decade, -decade,
        ])
    @LoopActor func spills(step: Seconds) throws {
        let flight = try VirtualAgent(durability: .crash)
        defer { flight.stop() }
        flight.home.failure = .failed(.network("no route to host"))
        // No row is 60 s old to the second when the spiller looks: clocks are not as exact as that.
        flight.drive(for: 594, every: 9)
        let there = try flight.positionsAfterPowerCut()
        #expect((58...60).contains(there))
        flight.clock.step(by: step)
        flight.clock.pass(80)
        #expect(try flight.positionsAfterPowerCut() == 66)
        // And nothing wakes for its sake once all is there.
        flight.agent.home.delivery.handleCourierEvent(.route([], networkChanged: true))
        flight.clock.pass(60)
        let count = flight.clock.count
        flight.clock.pass(600)
        let wakeUps = flight.clock.count - count
        #expect(wakeUps <= 6)
        printFigure(
            "66 of 66 on the disk 80 s after the last, then \(wakeUps) wake-ups in 10 minutes")
    }
}
