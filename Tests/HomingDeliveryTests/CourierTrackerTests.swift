import HomingDelivery
import HomingRoutes
import HomingTestKit
import Testing

/// A tracker that is disabled in Home Assistant, or not there yet.
@Suite struct CourierTrackerTests {
    /// A world whose tracker somebody has disabled.
    private static func withoutTracker(_ settings: Courier.Settings = Courier.Settings())
        -> SimulatedWorld
    {
        var world = SimulatedWorld.started(settings)
        world.homeAssistant.condition = .trackerDisabled
        return world
    }

    @Test("While the tracker is disabled, positions wait and an event goes home")
    func events() {
        var world = Self.withoutTracker()
        world.accept()
        world.acceptEvent()
        world.run(60)
        #expect(world.store.ledger(.events)[.deliveredLive] == 1)
        #expect(world.store.ledger(.location).queued == 1)
        #expect(world.courier.trouble?.problems == [.instance: .trackerMissing])
    }

    @Test("While positions wait for a disabled tracker, an event goes home at once")
    func eventsLater() {
        var world = Self.withoutTracker()
        world.accept()
        world.run(3600)
        world.acceptEvent()
        world.acceptSensor("load_1m")
        world.run(5)
        #expect(world.store.ledger(.events)[.deliveredLive] == 1)
        #expect(world.store.ledger(.sensors)[.deliveredLive] == 1)
        #expect(world.courier.trouble?.problems == [.instance: .trackerMissing])
    }

    @Test("A disabled tracker is no trouble to a machine that has no position to tell")
    func noPosition() {
        var world = Self.withoutTracker()
        world.acceptSensor("load_1m")
        world.run(60)
        #expect(world.store.ledger(.sensors)[.deliveredLive] == 1)
        #expect(world.courier.trouble == nil && world.courier.nextAttempt == nil)
    }

    @Test("While the tracker is disabled, a machine that moves on has its history delivered")
    func history() {
        var world = Self.withoutTracker()
        for _ in 0..<120 {
            world.accept()
            world.run(30)
        }
        let ledger = world.store.ledger(.location)
        #expect(ledger[.deliveredTrack] >= 60, "of 120 positions in an hour: \(ledger)")
        #expect(ledger[.deliveredLive] == 0 && ledger.queued > 0)
    }

    @Test("What goes home meanwhile makes the tries no more frequent")
    func pace() {
        var world = Self.withoutTracker()
        world.accept()
        world.run(1800)
        var asked: [(Request, Endpoint.Kind)] = []
        for _ in 0..<60 {
            world.accept()
            asked += world.run(60)
        }
        #expect(asked.count <= 18 && asked.count >= 4, "\(asked.count) requests in an hour")
        #expect(
            asked.allSatisfy { $0.1 == .instance }, "another endpoint leads to the same tracker")
    }

    @Test("A position is not sent while Home Assistant says that there is no tracker for it")
    func notInVain() {
        var world = Self.withoutTracker()
        world.accept()
        world.answerAll()
        let asked = world.run(3600)
        #expect(!asked.isEmpty && asked.allSatisfy { !$0.0.isPosition })
    }

    @Test("When the tracker is back, the positions follow", arguments: BacklogPolicy.allCases)
    func back(backlog: BacklogPolicy) {
        var world = Self.withoutTracker(Courier.Settings(backlog: backlog))
        world.accept()
        world.accept()
        world.run(30)
        world.homeAssistant.condition = .running
        world.run(900)
        world.accept()
        world.run(120)
        #expect(world.store.ledger(.location).queued == 0)
        #expect(world.homeAssistant.live.last == 3)
        #expect(world.courier.trouble == nil && world.violations.isEmpty)
    }

    @Test("A tracker that comes back within a session gets the positions in the same session")
    func backWithinTheSession() {
        var world = Self.withoutTracker()
        world.accept()
        world.acceptEvent()
        while let request = world.underWay?.request {
            if case .event = request { world.homeAssistant.condition = .running }
            world.answer()
        }
        #expect(world.homeAssistant.live == [1])
    }
}
