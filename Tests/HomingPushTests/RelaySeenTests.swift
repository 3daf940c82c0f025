import HomingBase
import HomingRelayProtocol
import Testing

@testable import HomingPush

/// Messages of a relay that came before.
@Suite struct RelaySeenTests {
    @Test("A message is new once, and known afterwards, in whatever order")
    func once() {
        var (ids, seen) = (MessageIDs(), RelaySeen())
        let all = (0..<100).map { _ in ids.next(at: 1000) }
        #expect(all.shuffled().allSatisfy { seen.judge($0) == .new })
        #expect(all.allSatisfy { seen.judge($0) == .known })
        #expect(seen.ids == all.sorted() && seen.floor == nil)
    }

    @Test("The smallest are forgotten, and nothing up to the last forgotten one is taken any more")
    func floor() {
        var (ids, seen) = (MessageIDs(), RelaySeen())
        let all = (0..<5000).map { _ in ids.next(at: 1000) }
        for id in all { _ = seen.judge(id) }
        #expect(seen.ids.count == RelaySeen.capacity)
        #expect(seen.floor == all[5000 - RelaySeen.capacity - 1])
        let forgotten = 5000 - RelaySeen.capacity
        #expect(all.prefix(forgotten).allSatisfy { seen.judge($0) == .replayed })
        #expect(all.dropFirst(forgotten).allSatisfy { seen.judge($0) == .known })
    }

    @Test("What was kept is known again, and too much of it is forgotten")
    func kept() {
        var (ids, seen) = (MessageIDs(), RelaySeen())
        let all = (0..<5000).map { _ in ids.next(at: 1000) }
        for id in all { _ = seen.judge(id) }
        #expect(RelaySeen(ids: seen.ids, floor: seen.floor) == seen)
        #expect(RelaySeen(ids: all, floor: nil) == seen)
    }
}
