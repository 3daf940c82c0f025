import HomingBase
import HomingDelivery
import HomingRoutes
import HomingTestKit
import Testing

/// Delay of reports by a quiet hour or a spent budget.
@Suite struct CourierHoldTests {
    private static let hold = Courier.Pace.thrifty(wait: nil)

    private static func world(_ settings: Courier.Settings = Courier.Settings()) -> SimulatedWorld {
        var world = SimulatedWorld(settings: settings, seed: 1)
        world.tellCourier(.route(SimulatedWorld.endpoints, networkChanged: true))
        return world
    }

    @Test("Whatever the paces were, all that waits goes home once no data is saved")
    func paces() {
        let seed = TestRun.seed()
        let paces = [
            Courier.Pace.usual, .dear, .thrifty(wait: 200), .thrifty(wait: 960), Self.hold,
        ]
        for round in 0..<2000 {
            var random = SeededRandom(seed: seed &+ UInt64(round))
            var world = Self.world()
            for _ in 0..<Int.random(in: 5...60, using: &random) {
                switch Int.random(in: 0..<12, using: &random) {
                case 0...2: world.accept(urgent: Bool.random(using: &random))
                case 3: world.acceptEvent()
                case 4...6: world.answer()
                case 7: world.pass(Seconds.random(in: 0...600, using: &random))
                case 8...9: world.tellCourier(.pace(paces.randomElement(using: &random) ?? .usual))
                case 10: world.tellCourier(.prove)
                default: world.tellCourier(.route(SimulatedWorld.endpoints, networkChanged: true))
                }
            }
            world.tellCourier(.pace(.usual))
            for _ in 0..<4 {
                _ = world.answerAll()
                world.pass(200)
            }
            _ = world.answerAll()
            let (places, events) = (world.store.ledger(.location), world.store.ledger(.events))
            #expect(places.queued == 0 && events.queued == 0, "HOMING_SEED=\(seed), round \(round)")
        }
    }

    @Test(
        "A receipt that is asked for after data was saved leaves nothing waiting",
        arguments: [Courier.Pace.thrifty(wait: 10), .thrifty(wait: 960), .thrifty(wait: nil)],
        [Courier.Pace.dear, .usual])
    func receiptAfterwards(saving: Courier.Pace, next: Courier.Pace) {
        var world = Self.world()
        _ = world.answerAll()
        world.tellCourier(.pace(saving))
        world.accept(urgent: false)
        world.tellCourier(.pace(next))
        world.tellCourier(.prove)
        world.run(300)
        #expect(world.store.ledger(.location).queued == 0)
    }

    @Test("A zone crossing in a hold is sent again if its proof does not come")
    func unproved() {
        var world = Self.world()
        _ = world.answerAll()
        world.tellCourier(.pace(Self.hold))
        world.accept(urgent: true)
        while let (request, _) = world.underWay {
            world.answer()
            if case .location = request { break }
        }
        for kind in Endpoint.Kind.allCases { world.conditions[kind] = .unreachable }
        _ = world.answerAll()
        #expect(world.store.ledger(.location).queued == 1)
        for kind in Endpoint.Kind.allCases { world.conditions[kind] = .works }
        world.run(2000)
        #expect(world.store.ledger(.location).queued == 0)
        world.accept(urgent: false)
        world.tellCourier(.route(SimulatedWorld.endpoints, networkChanged: true))
        #expect(world.underWay == nil)
    }

    @Test("A tracker that is missing in a hold is looked for during a minute, and not all night")
    func tracker() {
        // Positions stay news, and wait for the tracker.
        var world = Self.world(Courier.Settings(backlog: .replay))
        _ = world.answerAll()
        world.homeAssistant.condition = .trackerDisabled
        world.tellCourier(.pace(Self.hold))
        world.accept(urgent: true)
        let first = world.run(300).count
        #expect(first > 1)
        // Another crossing has one look more, in its time.
        world.accept(urgent: true)
        world.run(2000)
        world.accept(urgent: false)
        #expect(world.run(30_000).isEmpty)
        #expect(world.courier.nextAttempt == nil)
        world.homeAssistant.condition = .running
        world.tellCourier(.pace(.usual))
        world.run(2000)
        #expect(world.store.ledger(.location).queued == 0)
    }
}
