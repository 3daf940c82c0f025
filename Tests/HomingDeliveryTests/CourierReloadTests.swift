import HomingDelivery
import HomingSQLite
import HomingTestKit
import Testing

/// Somebody reloads the registration in Home Assistant while positions flow over one connection.
@Suite struct CourierReloadTests {
    /// Positions, one a second, with a reload after the third; and what becomes of them within the
    /// time of the next receipt.
    private static func driven(
        _ settings: Courier.Settings = Courier.Settings(), losing: Int, hasWitness: Bool = true,
        besides: (inout SimulatedWorld) -> Void = { _ in }
    ) -> SimulatedWorld {
        var world = SimulatedWorld.started(settings, hasWitness: hasWitness)
        world.accept()
        world.run(1)
        for number in 2...8 {
            if number == 5 {
                world.homeAssistant.reload(losing: losing)
                besides(&world)
            }
            world.accept()
            world.run(1)
        }
        return world
    }

    @Test("What was lost in a reload gets home as history", arguments: [1, 2, 3])
    func lost(losing: Int) {
        var world = Self.driven(losing: losing)
        world.run(200)
        let ledger = world.store.ledger(.location)
        #expect(world.violations.isEmpty && world.homeAssistant.lost.isEmpty)
        #expect(ledger[.deliveredLive] == 2, "the first, and the one that the receipt shows")
        #expect(ledger[.deliveredTrack] == 6 && ledger.queued == 0)
    }

    @Test("The map sees no position twice, and none after a later one")
    func order() {
        var world = Self.driven(losing: 2)
        world.run(200)
        #expect(world.homeAssistant.live == [1, 2, 3, 4, 7, 8])
        #expect(world.homeAssistant.track == [2, 3, 4, 5, 6, 7])
    }

    @Test("Of several at the place that is shown any may be meant: none counts as delivered")
    func samePlace() {
        var world = Self.driven(losing: 2)
        world.accept(at: 2)
        world.run(200)
        #expect(world.homeAssistant.live == [1, 2, 3, 4, 7, 8, 9])
        #expect(world.homeAssistant.track == Array(2...9))
        #expect(world.violations.isEmpty && world.homeAssistant.lost.isEmpty)
        #expect(world.store.ledger(.location)[.deliveredLive] == 1)
    }

    @Test("A position that was lost where the one before the loss was taken is not forgotten")
    func lostAtSamePlace() {
        var world = Self.driven(losing: 0)
        world.homeAssistant.reload(losing: 2)
        world.accept()
        world.run(1)
        world.accept(at: 8)
        world.run(200)
        #expect(world.violations.isEmpty && world.homeAssistant.lost.isEmpty)
        #expect(world.store.ledger(.location).queued == 0)
    }

    @Test("Where only the newest position counts, one that may be lost is told again")
    func latestAtSamePlace() {
        var world = Self.driven(Courier.Settings(backlog: .latest), losing: 0)
        world.homeAssistant.reload(losing: 2)
        world.accept()
        world.run(1)
        world.accept(at: 8)
        world.run(200)
        #expect(world.violations.isEmpty && world.homeAssistant.live.last == 10)
        #expect(world.store.ledger(.location).queued == 0)
    }

    @Test("A zone told by name is known as the one that is shown, too")
    func zone() {
        var world = Self.driven(losing: 2)
        world.accept(zone: "Home")
        world.run(200)
        #expect(world.homeAssistant.live == [1, 2, 3, 4, 7, 8, 9])
        #expect(world.homeAssistant.track == Array(2...8))
        #expect(world.violations.isEmpty && world.homeAssistant.lost.isEmpty)
    }

    @Test("Where a zone did not arrive, the version is asked before the next try")
    func zoneInOtherWords() {
        var world = SimulatedWorld.started()
        world.homeAssistant.dropsZones = true
        world.accept(zone: "Work")
        var asked: [Request] = []
        while let (request, _) = world.underWay, asked.count < 50 {
            asked.append(request)
            // As the words are chosen by the version.
            if request == .configuration { world.homeAssistant.dropsZones = false }
            world.answer()
        }
        #expect(asked.contains(.configuration) && asked.count(where: \.isPosition) == 2)
        #expect(world.store.ledger(.location)[.deliveredLive] == 1)
        #expect(world.homeAssistant.live == [1] && world.violations.isEmpty)
    }

    @Test("Where the last was lost, the shown one is settled, those before it are history")
    func lastLost() {
        var world = Self.driven(losing: 0)
        world.accept(at: 2)
        world.run(1)
        world.homeAssistant.reload(losing: 1)
        world.accept()
        world.run(200)
        #expect(world.homeAssistant.live == Array(1...10))
        #expect(world.homeAssistant.track == Array(2...9))
        #expect(world.violations.isEmpty && world.homeAssistant.lost.isEmpty)
    }

    @Test(
        "Without a reload one receipt vouches for all positions before it, and nothing is told twice"
    )
    func noReload() {
        var world = SimulatedWorld.started()
        for _ in 1...20 {
            world.accept()
            world.run(10)
        }
        world.run(150)
        #expect(world.homeAssistant.live == Array(1...20) && world.homeAssistant.track.isEmpty)
        #expect(world.store.ledger(.location)[.deliveredLive] == 20)
    }

    @Test("The entity that has stood longest may change by itself: that is no reload")
    func oldestChanges() {
        var world = SimulatedWorld.started()
        for number in 1...20 {
            world.accept()
            world.run(10)
            if number % 4 == 0 { world.homeAssistant.changeOldestEntity() }
        }
        world.run(150)
        #expect(world.homeAssistant.live == Array(1...20))
        #expect(world.homeAssistant.track.isEmpty)
        #expect(world.store.ledger(.location)[.deliveredLive] == 20)
    }

    @Test("A reload is known as one whatever else changes, and where Home Assistant's clock is set")
    func reloadBesides() {
        for step in [0.0, 1800, -1800] {
            var world = Self.driven(losing: 2) { world in
                world.homeAssistant.clockStep = step
                world.homeAssistant.changeOldestEntity()
            }
            world.run(200)
            #expect(world.violations.isEmpty && world.homeAssistant.lost.isEmpty, "\(step) s")
            #expect(world.hidden.isEmpty, "\(step) s")
        }
    }

    @Test("A reload between two positions that each have their receipt costs nothing")
    func single() {
        var world = SimulatedWorld.started()
        world.accept()
        world.run(160)
        world.homeAssistant.reload(losing: 0)
        world.accept()
        world.run(160)
        #expect(world.homeAssistant.live == [1, 2] && world.homeAssistant.track.isEmpty)
    }

    @Test("A connection that breaks after a reload, or a restart, brings no false proof either")
    func brokenConnection() {
        for condition in [nil, SimulatedHomeAssistant.Condition.down] {
            var world = Self.driven(losing: 2)
            if let condition {
                world.homeAssistant.condition = condition
                world.accept()
                world.run(30)
                world.homeAssistant.condition = .running
            } else {
                world.tellCourier(.route(SimulatedWorld.endpoints, networkChanged: true))
            }
            world.run(200)
            #expect(world.violations.isEmpty && world.homeAssistant.lost.isEmpty)
            #expect(world.store.ledger(.location).queued == 0)
        }
    }

    @Test("An outbox that cannot make history of them in that moment does it when it can")
    func outboxFails() {
        var world = Self.driven(losing: 2)
        world.outbox.fail { $0 == .moveToHistory ? DatabaseError(.failed, "") : nil }
        world.run(160)
        #expect(world.violations.isEmpty && world.store.ledger(.location).queued == 7)
        world.outbox.fail { _ in nil }
        world.run(700)
        #expect(world.violations.isEmpty && world.homeAssistant.lost.isEmpty)
        #expect(world.homeAssistant.live == world.homeAssistant.live.sorted())
        #expect(world.store.ledger(.location).queued == 0)
    }

    @Test("Events and sensors of that time are delivered: they do not hang on the tracker")
    func others() {
        var world = Self.driven(losing: 2) { world in
            world.acceptEvent()
            world.acceptSensor("load_1m")
        }
        world.run(200)
        #expect(world.homeAssistant.events == [1] && world.homeAssistant.sensors.taken == [1])
        #expect(world.homeAssistant.lost.isEmpty && world.violations.isEmpty)
    }

    @Test("If only the newest position counts, the others of that time are superseded")
    func latest() {
        var world = Self.driven(Courier.Settings(backlog: .latest), losing: 2)
        world.run(200)
        let ledger = world.store.ledger(.location)
        #expect(world.violations.isEmpty && ledger.balances && ledger.queued == 0)
        #expect(world.homeAssistant.place != nil && world.homeAssistant.live.last == 8)
        #expect(ledger[.superseded] + ledger[.deliveredLive] == 8 && ledger[.deliveredTrack] == 0)
    }

    @Test("A device that has nothing but its tracker cannot tell of a reload")
    func noWitness() {
        var world = Self.driven(losing: 2, hasWitness: false)
        world.run(200)
        #expect(world.homeAssistant.lost == [5, 6] && world.homeAssistant.track.isEmpty)
        #expect(world.violations == ["5 was not deliveredLive", "6 was not deliveredLive"])
    }

    /// A world in which the second position was lost in a reload that Home Assistant's clock, set back
    /// by ten minutes, dates before the first receipt.
    private static func reloadedInThePast() -> SimulatedWorld {
        var world = SimulatedWorld.started()
        world.accept()
        world.run(1)
        world.homeAssistant.clockStep = -600
        world.homeAssistant.reload(losing: 1)
        world.accept()
        world.run(1)
        return world
    }

    @Test("A reload that a clock, since set right, dates before the last receipt is not seen")
    func hiddenByClock() {
        for reloads in 1...2 {
            var world = Self.reloadedInThePast()
            if reloads == 2 { world.homeAssistant.reload(losing: 0) }
            world.accept()
            world.run(1)
            world.homeAssistant.clockStep = 0
            world.accept()
            world.run(200)
            #expect(world.homeAssistant.lost == [2] && world.hidden == [2], "\(reloads)")
            let ledger = world.store.ledger(.location)
            #expect(ledger[.deliveredLive] == 4 && world.violations.isEmpty, "\(reloads)")
        }
    }

    @Test("A clock that is set right to ten seconds hides a reload, and one that is not does not")
    func nearlyRight() {
        for (step, hides) in [(9.5, true), (-9.5, true), (10.5, false), (-10.5, false)] {
            var world = Self.reloadedInThePast()
            world.homeAssistant.clockStep = step
            world.accept()
            world.run(200)
            #expect(world.hidden == (hides ? [2] : []), "\(step) s")
            #expect(world.homeAssistant.lost == world.hidden && world.violations.isEmpty)
        }
    }
}

/// A power cut takes the newest positions from the queue, and Home Assistant had some of them.
@Suite struct CourierPowerCutTests {
    /// Eight positions, one a second, all taken; then the power goes, and with it the last ones.
    private static func cut(losing count: Int) -> SimulatedWorld {
        var world = SimulatedWorld.started(Courier.Settings())
        for _ in 1...8 {
            world.accept()
            world.run(1)
        }
        let lost = (9 - count..<9).map { EntryID(.location, Int64($0)) }
        world.store.settle(lost, as: .lostInPowerCut)
        world.restart(seed: 1)
        // Numbers were reserved in any case.
        world.tellCourier(.lost(through: count > 0 ? 8 : 24))
        return world
    }

    @Test("What came before a position that is gone is history: the map does not go back")
    func order() {
        var world = Self.cut(losing: 3)
        world.run(200)
        #expect(world.homeAssistant.live == Array(1...8))
        #expect(world.homeAssistant.track == [2, 3, 4, 5])
        #expect(world.store.ledger(.location).queued == 0 && world.violations.isEmpty)
    }

    @Test("Where nothing is gone, what Home Assistant shows is settled")
    func nothingLost() {
        var world = Self.cut(losing: 0)
        world.run(200)
        #expect(world.homeAssistant.live == Array(1...8) && world.homeAssistant.track.isEmpty)
    }

    @Test("What is accepted after the cut is news")
    func news() {
        var world = Self.cut(losing: 3)
        world.accept()
        world.run(200)
        #expect(world.homeAssistant.live == Array(1...9))
        #expect(world.store.ledger(.location)[.deliveredLive] == 2)
    }
}
