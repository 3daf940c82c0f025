import HomingBase
import HomingLocation
import HomingTestKit
import Testing

@testable import HomingDelivery

/// Receipts that are short, and events that lead back to a full receipt.
@Suite struct CourierShortReceiptTests {
    /// A world whose entities have stood for long, just after the receipt of its third position, and some
    /// time after the first look at the tracker.
    private static func driving(hasWitness: Bool = true) -> SimulatedWorld {
        var world = SimulatedWorld.started(hasWitness: hasWitness)
        for seconds in [25.0, 300, 1] {
            world.accept()
            world.run(seconds)
        }
        return world
    }

    /// Accepts so many locations, one a second, and returns the receipts until all are delivered.
    private static func receipts(_ world: inout SimulatedWorld, _ count: Int) -> [Request] {
        var asked: [Request] = []
        for _ in 0..<count {
            world.accept()
            asked += world.run(1).map(\.0)
        }
        for _ in 0..<20 where world.store.ledger(.location).queued > 0 {
            asked += world.run(10).map(\.0)
        }
        return asked.filter(\.isReceipt)
    }

    @Test("A session begins with a full receipt, and the next ones are short")
    func sessions() {
        var world = SimulatedWorld.started()
        world.accept()
        #expect(
            world.run(1).map(\.0.isShortReceipt) == [false, true], "the opening one came before")
        world = Self.driving()
        #expect(Self.receipts(&world, 3).allSatisfy { $0.isShortReceipt })
        world.tellCourier(.route(SimulatedWorld.endpoints, networkChanged: true))
        #expect(world.answerAll().map(\.0).filter(\.isReceipt) == [.receipt])
        #expect(Self.receipts(&world, 3).allSatisfy { $0.isShortReceipt })
        #expect(world.violations.isEmpty && world.store.ledger(.location)[.deliveredLive] == 9)
    }

    @Test("Only a receipt that vouches for several positions names the witness")
    func witness() {
        var world = Self.driving()
        world.run(160)
        #expect(Self.receipts(&world, 1).map(\.witness) == [nil])
        #expect(Self.receipts(&world, 5).map(\.witness) == ["sensor.van_5"])
        var alone = Self.driving(hasWitness: false)
        let names = TrackerNames(tracker: "device_tracker.van", witness: nil)
        #expect(Self.receipts(&alone, 5) == [.shortReceipt(names)])
        #expect(world.violations.isEmpty && alone.violations.isEmpty)
    }

    @Test(
        "After a restart between two positions the witness is asked for, and nothing is told twice")
    func restart() {
        var world = Self.driving()
        world.homeAssistant.condition = .down
        world.run(160)
        world.homeAssistant.condition = .running
        #expect(Self.receipts(&world, 1).map(\.witness) == ["sensor.van_5", nil])
        _ = Self.receipts(&world, 9)
        #expect(world.homeAssistant.live == Array(1...13) && world.homeAssistant.track.isEmpty)
        #expect(world.violations.isEmpty)
    }

    @Test("A full receipt is asked at least hourly")
    func hourly() {
        var world = Self.driving()
        var asked: [(at: Seconds, request: Request)] = []
        for _ in 0..<800 {
            world.accept()
            asked += world.run(10).map { (world.now.uptime, $0.0) }
        }
        let full = asked.filter { $0.request == .receipt }.map(\.at)
        #expect(zip(full, full.dropFirst()).allSatisfy { $1 - $0 <= 3700 }, "\(full)")
        #expect(full.last.map { world.now.uptime - $0 <= 3700 } == true)
        let receipts = asked.count(where: \.request.isReceipt)
        #expect(full.count <= 8 && receipts > 40, "\(full.count) of \(receipts)")
    }

    @Test("What a full receipt told is good for an hour, and for positions with a place")
    func shortForm() throws {
        let place = try #require(Coordinate(latitude: 52, longitude: 4))
        func sent(_ places: LocationMessage.Place...) -> SentItems {
            var sent = SentItems()
            for (number, place) in places.enumerated() {
                let message = OutboxMessage.location(LocationMessage(place: place))
                let entry = OutboxEntry(
                    id: EntryID(.location, Int64(number)), message: message, acceptedAt: 0)
                sent.append(SentItem(entries: [entry], fate: .deliveredLive))
            }
            return sent
        }
        let fix = LocationMessage.Place.fix(Fix(coordinate: place, accuracy: 5, time: 0))
        let zone = LocationMessage.Place.zone(name: "Work", time: 0)
        let names = TrackerNames(tracker: "device_tracker.van", witness: "sensor.van_5")
        func form(witness: Seconds) -> ShortForm? {
            let receipt = Receipt(
                trackerExists: true, trackerState: "home", place: place, witness: witness,
                time: 10_000, names: names)
            return ShortForm(
                receipt, steadyAfter: 300, at: Moment(uptime: 1000, unixTime: 10_000))
        }
        func asked(_ form: ShortForm?, _ sent: SentItems, isNew: Bool = false, after: Seconds = 0)
            -> TrackerNames?
        {
            form?.names(
                for: sent, isNew: isNew, at: Moment(uptime: 1000 + after, unixTime: 10_000))
        }
        let (steady, young) = (form(witness: 9700), form(witness: 9701))
        let alone = TrackerNames(tracker: names.tracker, witness: nil)
        #expect(asked(steady, sent(fix)) == alone && asked(young, sent(fix)) == alone)
        #expect(asked(steady, sent(fix), isNew: true) == names)
        #expect(asked(young, sent(fix), isNew: true) == nil)
        #expect(asked(steady, sent(zone, fix)) == names && asked(young, sent(fix, fix)) == nil)
        #expect(asked(steady, sent(fix, zone)) == nil && asked(steady, sent()) == nil)
        #expect(asked(steady, sent(fix), after: 3599) == alone)
        #expect(asked(steady, sent(fix), after: 3600) == nil)
        #expect(asked(steady, sent(fix, fix), after: 3600) == nil)
    }

    @Test("A tracker that was renamed is found again in full, by its new name from then on")
    func renamed() {
        var world = Self.driving()
        world.homeAssistant.tracker = "device_tracker.bus"
        let asked = Self.receipts(&world, 3)
        #expect(asked.map(\.isShortReceipt) == [true, false])
        let names = TrackerNames(tracker: "device_tracker.bus", witness: "sensor.van_5")
        #expect(Self.receipts(&world, 3) == [.shortReceipt(names)])
        #expect(world.violations.isEmpty && world.homeAssistant.live == Array(1...9))
        #expect(world.homeAssistant.track.isEmpty)
    }

    @Test("What another entity shows by the tracker's old name settles nothing")
    func stranger() throws {
        var world = Self.driving()
        world.homeAssistant.tracker = "device_tracker.bus"
        let place = try #require(Coordinate(latitude: 1, longitude: 2))
        world.homeAssistant.stranger = ("device_tracker.van", place)
        #expect(Self.receipts(&world, 3).map(\.isShortReceipt) == [true, false])
        #expect(world.violations.isEmpty && world.homeAssistant.live == Array(1...6))
        #expect(world.store.ledger(.location)[.deliveredLive] == 6)
    }

    @Test("A zone by its name is proved in full: another entity can have that state")
    func zone() {
        var world = Self.driving()
        world.accept(zone: "Home")
        #expect(world.run(160).map(\.0).filter(\.isReceipt) == [.receipt])
        #expect(world.store.ledger(.location)[.deliveredLive] == 4)
    }

    @Test("A tracker that was disabled leads to a full receipt, which says so")
    func disabled() {
        var world = Self.driving()
        world.accept()
        world.run(1)
        world.homeAssistant.condition = .trackerDisabled
        let asked = world.run(160).map(\.0)
        #expect(asked.filter(\.isReceipt).prefix(2).map(\.isShortReceipt) == [true, false])
        #expect(
            world.courier.nextAttempt != nil && world.store.ledger(.location).queued == 1,
            "\(asked) \(world.store.ledger(.location)) \(world.courier)")
        world.homeAssistant.condition = .running
        world.run(700)
        #expect(world.store.ledger(.location).queued == 0 && world.violations.isEmpty)
    }

    @Test("A reload, a witness that changed and one that was removed lead to a full receipt")
    func witnessChanged() {
        let changes: [(String, (inout SimulatedHomeAssistant) -> Void)] = [
            ("reload", { $0.reload(losing: 0) }), ("change", { $0.changeOldestEntity() }),
            ("removal", { $0.removeOldestEntity() }),
        ]
        for (name, change) in changes {
            var world = Self.driving()
            world.accept()
            world.run(1)
            change(&world.homeAssistant)
            let asked = Self.receipts(&world, 3)
            #expect(asked.prefix(2).map(\.isShortReceipt) == [true, false], "\(name)")
            #expect(world.violations.isEmpty && world.homeAssistant.lost.isEmpty, "\(name)")
            #expect(world.homeAssistant.track.isEmpty == (name != "reload"), "\(name)")
        }
    }

    @Test("A witness that has not stood for long is asked for in full")
    func young() {
        var world = Self.driving()
        world.homeAssistant.reload(losing: 0)
        _ = Self.receipts(&world, 3)
        #expect(Self.receipts(&world, 3) == [.receipt])
        // For one position it is of no interest.
        world.run(160)
        #expect(Self.receipts(&world, 1).map(\.isShortReceipt) == [true])
        for _ in 0..<12 {
            world.accept()
            world.run(60)
        }
        world.run(3600)
        world.accept()
        world.run(1)
        #expect(Self.receipts(&world, 3).map(\.witness) == ["sensor.van_1"])
        #expect(world.violations.isEmpty)
    }

    @Test("A sensor that is registered becomes the witness before the next positions")
    func firstSensor() {
        var world = Self.driving(hasWitness: false)
        world.homeAssistant.hasWitness = true
        world.acceptSensor("load_1m")
        world.run(1)
        #expect(Self.receipts(&world, 2) == [.receipt])
        world.accept()
        world.run(1)
        world.homeAssistant.reload(losing: 3)
        #expect(Self.receipts(&world, 6).first?.isReceipt == true)
        #expect(world.homeAssistant.lost.isEmpty && world.violations.isEmpty)
    }

    @Test("Places of 150 positions that were not taken are no other machine's")
    func manyNotTaken() {
        var watch = OthersWatch()
        let now = Moment(uptime: 1, unixTime: 1)
        func place(_ number: Int) -> Coordinate {
            Coordinate(latitude: 52, longitude: Double(number) / 100)!
        }
        func message(_ number: Int) -> LocationMessage {
            LocationMessage(place: .fix(Fix(coordinate: place(number), accuracy: 5, time: 0)))
        }
        for count in 1...2000 {
            watch.noteSent(message(count))
            guard count > Courier.maxUnproved else { continue }
            // Home Assistant has taken none since the receipt before.
            let old = Receipt(
                trackerExists: true, trackerState: "not_home",
                place: place(count - Courier.maxUnproved))
            let isStrange = watch.isStrange(old, zones: [], wasReloaded: false, at: now)
            #expect(!isStrange, "\(count)")
        }
    }

    @Test("A position that was not taken is found by the full receipt that follows, and sent again")
    func notTaken() {
        var world = Self.driving(hasWitness: false)
        world.homeAssistant.reload(losing: 1)
        #expect(Self.receipts(&world, 1).prefix(2).map(\.isShortReceipt) == [true, false])
        #expect(world.store.ledger(.location)[.deliveredLive] == 4 && world.violations.isEmpty)
        #expect(world.homeAssistant.live == [1, 2, 3, 4] && world.homeAssistant.lost.isEmpty)
    }

    @Test("Short receipts date what the entities have done since: another change is no reload")
    func changesBetween() {
        var world = SimulatedWorld.started()
        for number in 1...120 {
            world.accept()
            world.run(10)
            // Each of the others changes long before the one that has stood longest does.
            if [20, 30, 40, 50].contains(number) { world.homeAssistant.changeYoungestEntities() }
            if number == 110 { world.homeAssistant.changeOldestEntity() }
        }
        world.run(160)
        #expect(world.homeAssistant.live == Array(1...120) && world.homeAssistant.track.isEmpty)
        #expect(world.store.ledger(.location)[.deliveredLive] == 120)
    }
}
