import HomingLocation
import Testing

@testable import HomingDelivery

/// Behaviour on which the courier may rely, whatever the queue is made of.
@Suite("An outbox of any kind")
struct OutboxBehaviourTests {
    @Test("gives back what it was given, in order", arguments: OutboxKind.allCases)
    func order(kind: OutboxKind) throws {
        let rig = try OutboxRig(kind)
        let messages = [position(1), zone("Garage"), position(2, battery: nil)]
        for (index, message) in messages.enumerated() {
            try rig.append(message, at: 1000 + Double(index), expires: index == 1 ? 5000.5 : nil)
        }
        try rig.append(event(7), at: 1003)
        try rig.append(sensor("ä\u{0}'"), at: 1004)
        let rows = try rig.entries(.location)
        #expect(rows.map(\.message) == messages)
        #expect(rows.map(\.acceptedAt) == [1000, 1001, 1002])
        #expect(rows.map(\.expiresAt) == [nil, 5000.5, nil])
        #expect(rows.allSatisfy { $0.freshness == .live })
        #expect(try rig.entries(.events).map(\.message) == [event(7)])
        #expect(try rig.entries(.sensors).map(\.message) == [sensor("ä\u{0}'")])
        #expect(try rig.isSound())
    }

    @Test("reads after a number, up to a limit", arguments: OutboxKind.allCases)
    func paging(kind: OutboxKind) throws {
        let rig = try OutboxRig(kind)
        let numbers = try (1...6).map { try rig.append(position($0)).number }
        #expect(ids(try rig.entries(.location, limit: 2)) == Array(numbers[..<2]))
        #expect(ids(try rig.entries(.location, after: numbers[1])) == Array(numbers[2...]))
        #expect(ids(try rig.entries(.location, after: numbers[4], limit: 9)) == [numbers[5]])
        #expect(try rig.entries(.location, limit: 0).isEmpty)
        #expect(try rig.entries(.location, .history).isEmpty)
    }

    @Test("gives each row one fate and counts it once", arguments: OutboxKind.allCases)
    func settling(kind: OutboxKind) throws {
        let rig = try OutboxRig(kind)
        let rows = try (1...4).map { try rig.append(position($0)) }
        let news = try rig.append(event())
        try rig.store.settle([rows[0], rows[1], news], as: .deliveredLive)
        try rig.store.settle([rows[1], rows[2], rows[2]], as: .rejected)
        try rig.store.settle([EntryID(.location, 999)], as: .rejected)
        try rig.store.settle([], as: .rejected)
        let fates: [Fate: Int] = [.deliveredLive: 2, .rejected: 1]
        #expect(try rig.store.ledger(.location) == Ledger(accepted: 4, fates: fates, queued: 1))
        #expect(
            try rig.store.ledger(.events) == Ledger(accepted: 1, fates: [.deliveredLive: 1]))
        #expect(ids(try rig.entries(.location)) == [rows[3].number])
    }

    @Test("keeps the latest state of a sensor, under a new number", arguments: OutboxKind.allCases)
    func sensors(kind: OutboxKind) throws {
        let rig = try OutboxRig(kind)
        let old = try rig.append(sensor("battery", 1))
        let other = try rig.append(sensor("wifi", 1))
        let new = try rig.append(sensor("battery", 2))
        #expect(new > old)
        // What was in flight while the newer state came must not settle the newer state.
        try rig.store.settle([old], as: .deliveredLive)
        #expect(
            try rig.entries(.sensors).map(\.message) == [sensor("wifi", 1), sensor("battery", 2)])
        try rig.store.settle([other, new], as: .deliveredLive)
        let fates: [Fate: Int] = [.superseded: 1, .deliveredLive: 2]
        #expect(try rig.store.ledger(.sensors) == Ledger(accepted: 3, fates: fates))
    }

    @Test("never uses a number twice, not even after a restart", arguments: OutboxKind.allCases)
    func numbers(kind: OutboxKind) throws {
        let rig = try OutboxRig(kind)
        var last: [HomingDelivery.Stream: Int64] = [:]
        for round in 0..<3 {
            for message in [position(round), event(round), sensor("a", round)] {
                let id = try rig.append(message)
                #expect(id.number > last[id.stream, default: 0])
                last[id.stream] = id.number
                try rig.store.settle([id], as: .deliveredLive)
            }
            try rig.reopen()
        }
    }

    @Test("is the same after a restart", arguments: OutboxKind.allCases)
    func restart(kind: OutboxKind) throws {
        let rig = try OutboxRig(kind)
        let rows = try (1...5).map { try rig.append(position($0), at: Double($0)) }
        try rig.append(event(), expires: 77)
        #expect(try rig.store.moveToHistory(acceptedBefore: 4, keepingNewest: false) == 3)
        try rig.store.settle([rows[0]], as: .deliveredTrack)
        let before = try HomingDelivery.Stream.allCases.map { try rig.queued($0) }
        let ledgers = try HomingDelivery.Stream.allCases.map { try rig.store.ledger($0) }
        try rig.reopen()
        #expect(try HomingDelivery.Stream.allCases.map { try rig.queued($0) } == before)
        #expect(try HomingDelivery.Stream.allCases.map { try rig.store.ledger($0) } == ledgers)
        #expect(ids(try rig.entries(.location, .history)) == [rows[1].number, rows[2].number])
    }

    @Test("makes history of what is old, and never news again", arguments: OutboxKind.allCases)
    func history(kind: OutboxKind) throws {
        let rig = try OutboxRig(kind)
        for number in 1...4 { try rig.append(position(number), at: Double(number) * 100) }
        #expect(try rig.store.moveToHistory(acceptedBefore: 100, keepingNewest: false) == 0)
        #expect(try rig.store.moveToHistory(acceptedBefore: 300, keepingNewest: false) == 2)
        #expect(try rig.store.moveToHistory(acceptedBefore: 300, keepingNewest: false) == 0)
        #expect(try rig.entries(.location, .history).map(\.message) == [position(1), position(2)])
        #expect(try rig.entries(.location, .live).map(\.message) == [position(3), position(4)])
        #expect(try rig.entries(.location, .history).allSatisfy { $0.freshness == .history })
        try rig.append(position(5), at: 50)
        #expect(try rig.entries(.location, .live).last?.message == position(5))
        // Accepted after the clock was set back: those before it are history with it.
        #expect(try rig.store.moveToHistory(acceptedBefore: 60, keepingNewest: false) == 3)
        #expect(try rig.entries(.location, .live).isEmpty)
        #expect(try rig.isSound())
    }

    @Test("makes history of the news up to a number", arguments: OutboxKind.allCases)
    func historyThrough(kind: OutboxKind) throws {
        let rig = try OutboxRig(kind)
        let rows = try (1...5).map { try rig.append(position($0), at: Double($0)) }
        #expect(try rig.store.moveToHistory(through: 0) == 0)
        #expect(try rig.store.moveToHistory(through: rows[2].number) == 3)
        #expect(try rig.store.moveToHistory(through: rows[1].number) == 0)
        #expect(ids(try rig.entries(.location, .history)) == rows[..<3].map(\.number))
        #expect(ids(try rig.entries(.location, .live)) == rows[3...].map(\.number))
        try rig.reopen()
        #expect(ids(try rig.entries(.location, .live)) == rows[3...].map(\.number))
        #expect(try rig.store.moveToHistory(through: .max) == 2)
        #expect(try rig.isSound())
    }

    @Test("supersedes all news but the newest, and no history", arguments: OutboxKind.allCases)
    func latest(kind: OutboxKind) throws {
        let rig = try OutboxRig(kind)
        try rig.store.supersedeOlderPositions()
        for number in 1...5 { try rig.append(position(number), at: Double(number)) }
        _ = try rig.store.moveToHistory(acceptedBefore: 3, keepingNewest: false)
        try rig.store.supersedeOlderPositions()
        #expect(
            try rig.queued(.location).map(\.message) == [position(1), position(2), position(5)])
        #expect(try rig.store.ledger(.location)[.superseded] == 2)
        _ = try rig.store.moveToHistory(acceptedBefore: 100, keepingNewest: false)
        try rig.store.supersedeOlderPositions()
        #expect(try rig.store.ledger(.location)[.superseded] == 2)
        #expect(try rig.isSound())
    }

    @Test("expires by a row's own time and by age", arguments: OutboxKind.allCases)
    func expiry(kind: OutboxKind) throws {
        let rig = try OutboxRig(kind)
        try rig.append(event(1), at: 100, expires: 200)
        try rig.append(event(2), at: 100, expires: nil)
        try rig.append(position(1), at: 100)
        try rig.append(position(2), at: 300, expires: 250)
        try rig.append(sensor("a"), at: 100)
        try rig.store.expire(at: 200, acceptedBefore: nil)
        #expect(try rig.entries(.events).count == 2)
        try rig.store.expire(at: 200.1, acceptedBefore: nil)
        #expect(try rig.entries(.events).map(\.message) == [event(2)])
        try rig.store.expire(at: 200.1, acceptedBefore: 100)
        #expect(try rig.entries(.events).count == 1)
        try rig.store.expire(at: 251, acceptedBefore: 100.1)
        #expect(try HomingDelivery.Stream.allCases.allSatisfy { try rig.queued($0).isEmpty })
        try rig.append(position(3), at: 50)
        try rig.store.expire(at: 251, acceptedBefore: 100.1)
        #expect(try rig.store.ledger(.location)[.expired] == 3)
        #expect(try rig.store.ledger(.events)[.expired] == 2)
        #expect(try rig.isSound())
    }

    @Test("knows the oldest row", arguments: OutboxKind.allCases)
    func oldest(kind: OutboxKind) throws {
        let rig = try OutboxRig(kind)
        #expect(try rig.store.oldest(.events) == nil)
        let first = try rig.append(event(1), at: 10)
        try rig.append(event(2), at: 5)
        #expect(try rig.store.oldest(.events) == 10)
        try rig.store.settle([first], as: .expired)
        #expect(try rig.store.oldest(.events) == 5)
    }

    @Test("knows the largest number that is queued", arguments: OutboxKind.allCases)
    func newest(kind: OutboxKind) throws {
        let rig = try OutboxRig(kind)
        #expect(try rig.store.newest(.events) == nil)
        let first = try rig.append(event(1), at: 10)
        let second = try rig.append(event(2), at: 5)
        #expect(try rig.store.newest(.events) == second.number && second > first)
        try rig.store.settle([second], as: .expired)
        #expect(try rig.store.newest(.events) == first.number)
        #expect(try rig.store.newest(.location) == nil)
    }

    @Test("knows the place that was last delivered as news", arguments: OutboxKind.allCases)
    func lastDelivered(kind: OutboxKind) throws {
        let rig = try OutboxRig(kind)
        #expect(try rig.store.lastDelivered() == nil)
        let rows = try (1...4).map { try rig.append(position($0)) }
        let named = try rig.append(zone("Home"))
        let later = try rig.append(position(9))
        try rig.store.settle([rows[0]], as: .deliveredTrack)
        #expect(try rig.store.lastDelivered() == nil)
        try rig.store.settle([rows[2], rows[1], EntryID(.location, 77)], as: .deliveredLive)
        #expect(try rig.store.lastDelivered()?.latitude == 52.003)
        try rig.reopen()
        try rig.store.settle([rows[3]], as: .rejected)
        #expect(try rig.store.lastDelivered()?.latitude == 52.003)
        try rig.store.settle([named], as: .deliveredLive)
        #expect(try rig.store.lastDelivered() == nil)
        try rig.store.settle([later], as: .deliveredLive)
        try rig.reopen()
        #expect(try rig.store.lastDelivered()?.latitude == 52.009)
    }
}
