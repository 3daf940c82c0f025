import HomingBase
import HomingDelivery
import HomingRoutes
import HomingTestKit
import Testing

/// Single decisions of the courier; the histories are tested at random elsewhere.
@Suite struct CourierTests {
    private static func world(
        _ settings: Courier.Settings = Courier.Settings(), endpoints: Int = 3
    ) -> SimulatedWorld {
        SimulatedWorld.started(settings, endpoints: endpoints)
    }

    /// Answers until nothing is under way; returns what was asked of whom.
    private static func settle(_ world: inout SimulatedWorld) -> [(Request, Endpoint.Kind)] {
        world.answerAll()
    }

    @Test("A row is settled by a receipt, never by a 200")
    func receiptSettles() {
        var world = Self.world()
        world.accept()
        world.answer()
        #expect(world.store.ledger(.location).queued == 1)
        _ = Self.settle(&world)
        world.pass(150)
        _ = Self.settle(&world)
        #expect(world.store.ledger(.location)[.deliveredLive] == 1)
    }

    @Test("A receipt does not vouch for what was sent before the configuration was asked again")
    func receiptAfterConfiguration() {
        var world = Self.world()
        _ = Self.settle(&world)
        world.acceptEvent()
        for kind in Endpoint.Kind.allCases { world.conditions[kind] = .impostor }
        // The configuration falls due before the answer, and is asked on another connection.
        world.pass(4000)
        world.answer()
        world.conditions = [:]
        world.run(600)
        #expect(world.homeAssistant.events == [1])
        #expect(world.violations.isEmpty, "\(world.violations)")
        #expect(world.store.ledger(.events)[.deliveredLive] == 1)
    }

    /// A position every so many seconds; how many receipts were asked, and the most positions and seconds
    /// without one.
    private static func drive(
        _ settings: Courier.Settings, every pause: Seconds, for seconds: Seconds
    ) -> (receipts: Int, positions: Int, seconds: Seconds) {
        var world = Self.world(settings)
        var (result, since) = ((receipts: 0, positions: 0, seconds: 0.0), 0)
        var last = world.now.uptime
        for _ in 0..<Int(seconds / pause) {
            world.accept()
            for (request, _) in world.run(pause) {
                since += request.isPosition ? 1 : 0
                result.positions = max(result.positions, since)
                guard request.isReceipt else { continue }
                result.receipts += 1
                result.seconds = max(result.seconds, world.now.uptime - last)
                (last, since) = (world.now.uptime, 0)
            }
        }
        return result
    }

    @Test("Single positions share a receipt, shortly before half of max_age is over")
    func receiptsAreRare() {
        for (maxAge, wanted) in [
            (10.0, 4.0...4.5), (120, 54...55), (300, 144...145), (600, 294...295),
            (3600, 299...300),
        ] {
            // A position every second at most, and less than 150 between two receipts.
            let pause = max(0.5, min(maxAge, 600) / 240)
            let found = Self.drive(
                Courier.Settings(maxAge: maxAge), every: pause, for: min(maxAge, 600) * 4)
            #expect(
                (wanted.lowerBound - pause...wanted.upperBound + pause).contains(found.seconds),
                "\(maxAge): \(found)")
            // Eight, the first one, and the looks at the tracker before a position.
            #expect((8...14).contains(found.receipts), "\(maxAge): \(found)")
        }
    }

    @Test("At most 150 positions go out without a receipt, however fast they come")
    func receiptsOfMany() {
        let found = Self.drive(Courier.Settings(), every: 0.1, for: 120)
        #expect(found.positions == 150 && (8...11).contains(found.receipts), "\(found)")
    }

    @Test("Where what is not proved is written to the disk in a minute, receipts come within it")
    func quickReceipts() {
        let settings = Courier.Settings(receipts: .quick)
        let slow = Self.drive(settings, every: 1, for: 600)
        #expect(slow.positions <= 50 && slow.seconds <= 61, "\(slow)")
        let fast = Self.drive(settings, every: 0.1, for: 60)
        #expect(fast.positions == 50, "\(fast)")
    }

    @Test("While receipts come, every position is handed to a connection that is trusted")
    func trust() {
        for (maxAge, pause) in [
            (300.0, 1.0), (300, 7.3), (300, 60), (300, 145), (10, 0.5), (3600, 20),
        ] {
            var world = Self.world(Courier.Settings(maxAge: maxAge))
            world.accept()
            world.run(1)
            var (trusted, handed) = (0, 0)
            while world.now.uptime < 1000 + 12 * maxAge {
                world.accept()
                while let (request, _) = world.underWay {
                    if request.isPosition {
                        handed += 1
                        trusted += world.courier.isTrusted(at: world.now) ? 1 : 0
                    }
                    world.answer()
                }
                world.run(pause)
            }
            #expect(handed > 10 && trusted == handed, "\(maxAge) \(pause): \(trusted) of \(handed)")
        }
    }

    @Test("Each endpoint that fails in any way is followed by the next, within the same attempt")
    func fallback() {
        for condition in SimulatedWorld.EndpointCondition.allCases where condition != .works {
            var world = Self.world()
            world.conditions = [.instance: condition, .cloudhook: condition]
            world.accept()
            let asked = Self.settle(&world)
            #expect(world.courier.current == .remoteUI, "\(condition)")
            world.pass(150)
            _ = Self.settle(&world)
            #expect(world.store.ledger(.location)[.deliveredLive] == 1, "\(condition): \(asked)")
        }
    }

    @Test("An endpoint that failed is tried first again after a minute, with an ordinary request")
    func recovery() {
        var world = Self.world()
        world.conditions = [.instance: .unreachable]
        world.accept()
        _ = Self.settle(&world)
        #expect(world.courier.current == .cloudhook)
        world.conditions = [:]
        world.accept()
        _ = Self.settle(&world)
        #expect(world.courier.current == .cloudhook)
        world.pass(61)
        _ = Self.settle(&world)
        world.accept()
        _ = Self.settle(&world)
        #expect(world.courier.current == .instance)
    }

    @Test("While every endpoint refuses, a day costs at most 18 requests an hour")
    func refusalPace() {
        var world = Self.world()
        world.conditions = [.instance: .portal, .cloudhook: .portal, .remoteUI: .portal]
        world.accept()
        var perHour = [Int](repeating: 0, count: 25)
        for minute in 0..<(24 * 60) {
            while world.underWay != nil {
                perHour[minute / 60] += 1
                world.answer()
            }
            world.pass(60)
            if minute % 5 == 0 { world.accept() }
        }
        #expect(perHour.allSatisfy { $0 <= 18 }, "\(perHour)")
        #expect(perHour[20] >= 9, "and yet it goes on trying: \(perHour)")
    }

    @Test("An outage of a minute is over at most 30 s after it ends")
    func shortOutage() {
        for seed in 0..<50 {
            var world = SimulatedWorld(settings: Courier.Settings(), seed: UInt64(seed))
            world.tellCourier(
                .route(Array(SimulatedWorld.endpoints.prefix(1)), networkChanged: true))
            _ = Self.settle(&world)
            world.homeAssistant.condition = .down
            world.accept()
            let end = world.now.uptime + 60
            while world.now.uptime < end {
                _ = Self.settle(&world)
                world.pass(min(0.5, end - world.now.uptime + 0.01))
            }
            world.homeAssistant.condition = .running
            let limit = world.now.uptime + 30
            while world.now.uptime < limit, world.homeAssistant.live.isEmpty {
                _ = Self.settle(&world)
                world.pass(0.5)
            }
            #expect(!world.homeAssistant.live.isEmpty, "seed \(seed)")
        }
    }

    @Test("What a proved Home Assistant cannot take is rejected in the end, and the rest goes on")
    func rejection() {
        var world = Self.world(endpoints: 1)
        world.accept()
        for _ in 0..<20 where world.underWay != nil {
            if case .location(let entry)? = world.underWay?.request, entry.id.number == 1 {
                world.homeAssistant.notTaken[EntryID(.location, 1), default: 0] += 1
                world.underWay = nil
                world.tellCourier(.answer(.refused(status: 400)))
            } else {
                world.answer()
            }
        }
        #expect(world.store.ledger(.location)[.rejected] == 1)
        #expect(world.violations.isEmpty)
        world.accept()
        world.tellCourier(.flush)
        _ = Self.settle(&world)
        #expect(world.store.ledger(.location)[.deliveredLive] == 1)
    }

    @Test("After an outage the old positions go home as track, the fresh one as news")
    func backlog() {
        var world = Self.world()
        world.homeAssistant.condition = .down
        for _ in 0..<10 {
            world.accept()
            let end = world.now.uptime + 60
            while world.now.uptime < end {
                _ = Self.settle(&world)
                world.pass(5)
            }
        }
        world.homeAssistant.condition = .running
        world.accept()
        world.heal()
        let ledger = world.store.ledger(.location)
        #expect(ledger[.deliveredTrack] >= 5 && ledger[.deliveredLive] >= 1)
        #expect(ledger[.deliveredTrack] + ledger[.deliveredLive] == 11)
        #expect(world.homeAssistant.live.last == 11)
    }

    @Test("On a metered network positions wait for company, a zone crossing does not")
    func batching() {
        var world = Self.world(Courier.Settings(batchMetered: 60))
        world.tellCourier(.pace(.dear))
        world.accept(urgent: false)
        #expect(world.underWay == nil)
        world.pass(30)
        world.accept(urgent: false)
        #expect(world.underWay == nil)
        world.pass(31)
        #expect(
            Self.settle(&world).filter { if case .location = $0.0 { true } else { false } }.count
                == 2)
        world.accept(urgent: true)
        #expect(world.underWay != nil)
    }

    @Test(
        "While data is saved the newest of what waited is told as news, and the others as history")
    func thrift() {
        var world = Self.world()
        world.tellCourier(.pace(.thrifty(wait: 200)))
        _ = Self.settle(&world)
        for _ in 0..<5 {
            world.accept(urgent: false)
            #expect(world.underWay == nil)
            world.pass(30)
        }
        world.pass(60)
        let asked = Self.settle(&world).map(\.0)
        let live = asked.filter { if case .location = $0 { true } else { false } }
        let tracks = asked.filter { if case .track = $0 { true } else { false } }
        #expect(live.count == 1 && tracks.count == 1)
        #expect(world.homeAssistant.live == [5])
        #expect(world.homeAssistant.track == [1, 2, 3, 4])
        #expect(world.violations.isEmpty, "\(world.violations)")
    }

    @Test("While data is saved no position arrives as news and as history")
    func thriftTwice() {
        var world = Self.world()
        world.tellCourier(.pace(.thrifty(wait: 200)))
        _ = Self.settle(&world)
        for _ in 0..<20 {
            world.accept(urgent: true)
            _ = Self.settle(&world)
            world.pass(20)
            _ = Self.settle(&world)
        }
        world.pass(400)
        _ = Self.settle(&world)
        let (live, track) = (Set(world.homeAssistant.live), Set(world.homeAssistant.track))
        #expect(live.isDisjoint(with: track), "\(live.intersection(track))")
        #expect(live.union(track).count == 20)
    }

    @Test("A quiet hour holds everything back but what is urgent, and lets it go at its end")
    func quiet() {
        var world = Self.world()
        world.tellCourier(.pace(.thrifty(wait: nil)))
        _ = Self.settle(&world)
        world.accept(urgent: false)
        world.pass(30_000)
        #expect(world.underWay == nil)
        world.tellCourier(.route(SimulatedWorld.endpoints, networkChanged: true))
        #expect(world.underWay == nil, "another network is no reason to send")
        world.acceptEvent()
        #expect(!Self.settle(&world).isEmpty)
        #expect(world.homeAssistant.events == [1])
        world.accept(urgent: false)
        world.pass(10)
        #expect(world.underWay == nil)
        world.tellCourier(.pace(.usual))
        #expect(world.underWay != nil)
    }

    @Test("A network that is lost and found sends nothing in a quiet hour")
    func quietNetworks() {
        var world = Self.world()
        world.tellCourier(.pace(.thrifty(wait: nil)))
        _ = Self.settle(&world)
        world.accept(urgent: false)
        for _ in 0..<3 {
            world.tellCourier(.route([], networkChanged: true))
            world.pass(100)
            world.tellCourier(.route(SimulatedWorld.endpoints, networkChanged: true))
            world.pass(100)
            #expect(world.underWay == nil)
        }
        world.tellCourier(.pace(.usual))
        _ = Self.settle(&world)
        #expect(world.store.ledger(.location).queued == 0)
    }

    @Test("What was due before a quiet hour waits for its end, and so does what nobody took")
    func quietBegins() {
        var world = Self.world()
        world.tellCourier(.pace(.thrifty(wait: 200)))
        _ = Self.settle(&world)
        world.accept(urgent: false)
        world.pass(100)
        world.tellCourier(.pace(.thrifty(wait: nil)))
        world.pass(1000)
        #expect(world.underWay == nil)
        world.tellCourier(.pace(.usual))
        for kind in Endpoint.Kind.allCases { world.conditions[kind] = .unreachable }
        _ = Self.settle(&world)
        #expect(world.courier.nextAttempt != nil)
        world.tellCourier(.pace(.thrifty(wait: nil)))
        for kind in Endpoint.Kind.allCases { world.conditions[kind] = .works }
        world.pass(3000)
        #expect(world.underWay == nil)
        #expect(world.store.ledger(.location).queued == 1)
        // Something urgent takes along what waits, also where it fails first.
        for kind in Endpoint.Kind.allCases { world.conditions[kind] = .unreachable }
        world.acceptEvent()
        _ = Self.settle(&world)
        for kind in Endpoint.Kind.allCases { world.conditions[kind] = .works }
        world.pass(3000)
        _ = Self.settle(&world)
        #expect(world.homeAssistant.events == [1])
        #expect(world.store.ledger(.location).queued == 0)
    }

    @Test("A position that waited for company while data is saved is news")
    func longWait() {
        var world = Self.world(Courier.Settings(maxAge: 300))
        world.tellCourier(.pace(.thrifty(wait: 960)))
        _ = Self.settle(&world)
        world.accept(urgent: false)
        world.pass(961)
        let asked = Self.settle(&world).map(\.0)
        #expect(asked.contains { if case .location = $0 { true } else { false } })
        #expect(world.homeAssistant.live == [1])
        #expect(world.homeAssistant.track.isEmpty)
    }

    @Test("An outbox that cannot be written is not asked again and again")
    func storeFailure() {
        var world = Self.world(endpoints: 1)
        world.accept()
        world.tellCourier(.storeFailed)
        #expect(world.underWay == nil)
        #expect(world.courier.nextAttempt == world.now.uptime + 300)
        world.pass(301)
        _ = Self.settle(&world)
        #expect(world.store.ledger(.location)[.deliveredLive] == 1)
    }

    @Test("A row that is accepted after that shows that the outbox can be written to again")
    func storeRecovery() {
        var world = Self.world(endpoints: 1)
        world.accept()
        world.tellCourier(.storeFailed)
        world.accept()
        #expect(world.courier.nextAttempt == world.now.uptime + 5)
        world.pass(6)
        _ = Self.settle(&world)
        #expect(world.store.ledger(.location)[.deliveredLive] == 2)
    }

    @Test(
        "A receipt that proves the endpoint alone does not delay the receipt of the next position")
    func proofAlone() {
        var world = Self.world(endpoints: 1)
        world.tellCourier(.prove)
        _ = Self.settle(&world)
        world.accept()
        _ = Self.settle(&world)
        #expect(world.store.ledger(.location)[.deliveredLive] == 1)
    }

    @Test("What is being proved does not become history, however the clock jumps")
    func clockStepWhileUnproved() {
        var world = Self.world(endpoints: 1)
        world.accept()
        _ = Self.settle(&world)
        // A single position soon after the last receipt waits for its own.
        world.accept()
        _ = Self.settle(&world)
        #expect(world.store.ledger(.location).queued == 1)
        world.now.unixTime += 10_000
        world.accept()
        _ = Self.settle(&world)
        world.pass(150)
        _ = Self.settle(&world)
        #expect(world.homeAssistant.track.isEmpty)
        #expect(world.homeAssistant.live == [1, 2, 3])
    }
}
