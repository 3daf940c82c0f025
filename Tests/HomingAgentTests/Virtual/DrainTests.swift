import HomingDelivery
import HomingRoutes
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Delivery of a long queue: the whole agent on a virtual clock.
@Suite(.serialized) struct DrainTests {
    init() { LoopThread.start() }

    @Test("A week goes home in few requests, one after another, and news need not wait for it")
    @LoopActor func pace() throws {
        let flight = try VirtualAgent()
        defer { flight.stop() }
        flight.drive(for: 600)
        flight.home.failure = .failed(.network("no route to host"))
        flight.drive(for: 7 * 86400)
        flight.home.failure = nil
        flight.agent.home.delivery.handleCourierEvent(.flush)
        flight.clock.pass(1)
        flight.home.forgetRequests()
        let queued = try flight.positions().queued
        var news = 0
        while try flight.positions().queued > 0, news < 60 {
            flight.drive()
            news += 1
            flight.clock.pass(1)
            let accepted = try flight.positions().accepted
            #expect(flight.home.homeAssistant.live.last == Int64(accepted), "told within a second")
        }
        #expect(try flight.positions().queued == 0)
        // An event of 200 and its proof; for news, a position and its proof.
        let requests = flight.home.requests.count
        #expect(requests <= 2 * (queued / 200 + 1) + 2 * news)
        #expect(flight.home.most(in: 1) <= Int(1 / PlayedHome.latency) + 1)
        #expect(try flight.violations() == [])
        printFigure(
            "\(queued) positions and \(news) new ones: \(requests) requests, at most "
                + "\(flight.home.most(in: 1)) a second, each answered before the next")
    }
}
