import HomingDelivery
import HomingRoutes
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// The rows of the fault list that last for days: the whole agent on a virtual clock.
@Suite(.serialized) struct OutageTests {
    init() { LoopThread.start() }

    private static let day: Seconds = 86400
    /// Other chances in each.
    static let rounds = 0..<(TestRun.isLong ? 20 : 1)

    @Test(
        "Seven days without a network are at home in minutes, in order, every position once",
        arguments: rounds)
    @LoopActor func week(round: Int) throws {
        let flight = try VirtualAgent(round: round)
        defer { flight.stop() }
        flight.drive(for: 600)
        flight.home.failure = .failed(.network("no route to host"))
        flight.home.forgetRequests()
        flight.drive(for: 7 * Self.day)
        let queued = try flight.positions().queued
        let size = flight.outboxSize()
        // The last ones before it may not have been proved.
        #expect((20160...20162).contains(queued))
        #expect(size <= 32 << 20)
        // Three endpoints, and a network that failed is tried at least twelve times an hour.
        #expect((36...90).contains(flight.home.requests.count / (7 * 24)))
        flight.home.failure = nil
        flight.home.forgetRequests()
        let seconds = try #require(try flight.drain(within: 1800))
        let ledger = try flight.positions()
        #expect(ledger.accepted == 20180 && ledger[.evicted] == 0)
        #expect(try flight.violations() == [])
        printFigure(
            "\(queued) positions in \(size >> 10) KiB, at home after \(Int(seconds)) s and "
                + "\(flight.home.requests.count) requests")
    }

    @Test("An outbox too small for the outage keeps the newest, and counts the rest")
    @LoopActor func bound() throws {
        let flight = try VirtualAgent(maxSize: 1)
        defer { flight.stop() }
        flight.home.failure = .failed(.network("no route to host"))
        flight.drive(for: 7 * Self.day)
        let ledger = try flight.positions()
        #expect(ledger.accepted == 20160 && ledger[.evicted] > 0)
        let size = flight.outboxSize()
        #expect(size <= 1 << 20)
        flight.home.failure = nil
        _ = try #require(try flight.drain(within: 1800))
        #expect(try flight.violations() == [])
        let told = flight.home.homeAssistant.track + flight.home.homeAssistant.live
        #expect(told == Array(Int64(ledger[.evicted] + 1)...20160))
        printFigure("\(ledger[.evicted]) of 20160 evicted, the newest kept in \(size >> 10) KiB")
    }

    @Test("A restart every day of the outage changes nothing")
    @LoopActor func restarts() throws {
        let flight = try VirtualAgent()
        defer { flight.stop() }
        flight.home.failure = .failed(.network("no route to host"))
        for _ in 1...7 {
            flight.drive(for: Self.day, every: 120)
            try flight.restart()
        }
        flight.home.failure = nil
        let seconds = try #require(try flight.drain(within: 1800))
        let accepted = try flight.positions().accepted
        #expect(accepted == 7 * 720)
        #expect(try flight.violations() == [])
        printFigure(
            "7 restarts over \(accepted) positions of 7 days: all home after \(Int(seconds)) s")
    }

    static let refusals: [Answer] = [
        .failed(.unauthorized(status: 403)), .failed(.unknownWebhook), .failed(.keyRefused),
        .failed(.foreign("HTML")), .failed(.trackerNotLoaded), .gone, .empty,
        .refused(status: 400), .refused(status: 413), .failed(.busy(retryAfter: 30)),
        .failed(.unavailable(status: 502)),
    ]

    @Test(
        "A day of refusals costs at most 18 requests an hour, and no position",
        arguments: refusals, rounds)
    @LoopActor func refused(answer: Answer, round: Int) throws {
        let flight = try VirtualAgent(round: round)
        defer { flight.stop() }
        // Long enough to learn of three endpoints.
        flight.drive(for: 300)
        flight.home.failure = answer
        flight.home.forgetRequests()
        flight.drive(for: Self.day)
        let most = flight.home.most(in: 3600)
        #expect(most <= 18)
        #expect(try (2880...2882).contains(flight.positions().queued))
        flight.home.failure = nil
        // A deleted registration is asked for every six hours.
        let seconds = try #require(try flight.drain(within: 6 * 3600 + 60))
        #expect(try flight.violations() == [])
        let what = answer == .gone ? "a day of being told that we are deleted" : "a day of refusals"
        printFigure("\(what): all home \(Int(seconds)) s after, at most \(most) requests an hour")
    }

    @Test("Ten thousand names that are not found leave nothing behind", arguments: rounds)
    @LoopActor func names(round: Int) throws {
        let flight = try VirtualAgent(round: round)
        defer { flight.stop() }
        flight.drive(for: 600)
        flight.home.failure = .failed(.network("could not look up homeassistant.local"))
        flight.home.forgetRequests()
        flight.drive(for: 3600, every: 300)
        let before = Footprint()
        while flight.home.requests.count < 10_000 { flight.drive(for: 3600, every: 300) }
        let after = Footprint()
        #expect(after.descriptors <= before.descriptors)
        #expect(after.residentBytes - before.residentBytes < 1 << 20)
        flight.home.failure = nil
        let seconds = try #require(try flight.drain(within: 310))
        #expect(try flight.violations() == [])
        printFigure(
            "\(after.descriptors - before.descriptors) descriptors and "
                + "\((after.residentBytes - before.residentBytes) >> 10) KiB more, at home "
                + "\(Int(seconds)) s after the names are back")
    }
}
