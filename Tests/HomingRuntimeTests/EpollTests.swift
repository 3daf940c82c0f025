import Glibc
import HomingRuntime
import HomingTestKit
import Testing

/// Many descriptors as one source of the loop.
@Suite struct EpollTests {
    init() { LoopThread.start() }

    /// Notes what it is told, and does something then.
    @LoopActor private final class Member: EpollMember {
        private(set) var told: [Readiness] = []
        var then: @LoopActor () -> Void = {}

        func isReady(_ readiness: Readiness) {
            told.append(readiness)
            then()
        }
    }

    /// Turns of the loop, in each of which it asks for what is ready.
    @LoopActor private func turns() async {
        for _ in 0..<6 { await spawn {}.value }
    }

    @Test("Each member is told of its own descriptor, as long as it is ready")
    @LoopActor func level() async throws {
        let epoll = try Epoll()
        let pairs = try (0..<600).map { _ in try Sockets.pair() }
        let members = pairs.map { _ in Member() }
        for (pair, member) in zip(pairs, members) { try epoll.add(pair.ours, .reading, member) }
        for pair in pairs.dropFirst(300) { _ = write(pair.theirs, "x", 1) }
        await turns()
        #expect(members.prefix(300).allSatisfy { $0.told.isEmpty })
        #expect(members.dropFirst(300).allSatisfy { $0.told.count > 1 })
        for pair in pairs { _ = Sockets.drain(pair.ours) }
        let before = members.map(\.told.count)
        await turns()
        #expect(members.map(\.told.count) == before)
        for pair in pairs {
            epoll.remove(pair.ours)
            close(pair.ours)
            close(pair.theirs)
        }
    }

    @Test("What is asked for once is told once, until it is asked for again")
    @LoopActor func once() async throws {
        let epoll = try Epoll()
        let pair = try Sockets.pair()
        let member = Member()
        try epoll.add(pair.ours, [.reading, .once], member)
        _ = write(pair.theirs, "x", 1)
        await turns()
        #expect(member.told == [.reading])
        epoll.change(pair.ours, [.reading, .closing, .once])
        await turns()
        #expect(member.told == [.reading, .reading])
        close(pair.theirs)
        epoll.change(pair.ours, [.reading, .closing, .once])
        await turns()
        #expect(member.told.last?.isSuperset(of: [.reading, .closing]) == true)
        epoll.remove(pair.ours)
        close(pair.ours)
    }

    @Test("What was ready before a change is told only if it is so still")
    @LoopActor func change() async throws {
        let epoll = try Epoll()
        let (one, two) = (try Sockets.pair(), try Sockets.pair())
        let (first, second) = (Member(), Member())
        // Whoever is told first reads what the other has, and has the other told anew.
        first.then = {
            _ = Sockets.drain(one.ours) + Sockets.drain(two.ours)
            epoll.change(two.ours, .reading)
        }
        second.then = {
            _ = Sockets.drain(one.ours) + Sockets.drain(two.ours)
            epoll.change(one.ours, .reading)
        }
        try epoll.add(one.ours, .reading, first)
        try epoll.add(two.ours, .reading, second)
        _ = write(one.theirs, "x", 1)
        _ = write(two.theirs, "x", 1)
        await turns()
        #expect(first.told.count + second.told.count == 1)
        for pair in [one, two] {
            epoll.remove(pair.ours)
            close(pair.ours)
            close(pair.theirs)
        }
    }

    @Test("A number that the system gives again is not told to whom it belonged before")
    @LoopActor func again() async throws {
        let epoll = try Epoll()
        let (one, two) = (try Sockets.pair(), try Sockets.pair())
        let (first, second, third) = (Member(), Member(), Member())
        var others: [(ours: Int32, theirs: Int32)] = []
        // Whoever is told first closes the other's descriptor and opens another, which gets its number.
        // One call does both: other tests run at the same time, and could get the number in between.
        @LoopActor func replace(_ pair: (ours: Int32, theirs: Int32)) {
            guard others.isEmpty, var other = try? Sockets.pair() else { return }
            epoll.remove(pair.ours)
            dup2(other.ours, pair.ours)
            close(other.ours)
            other.ours = pair.ours
            others.append(other)
            try? epoll.add(other.ours, .reading, third)
        }
        first.then = { replace(two) }
        second.then = { replace(one) }
        try epoll.add(one.ours, [.reading, .once], first)
        try epoll.add(two.ours, [.reading, .once], second)
        _ = write(one.theirs, "x", 1)
        _ = write(two.theirs, "x", 1)
        await turns()
        #expect(first.told.count + second.told.count == 1)
        #expect(third.told.isEmpty)
        #expect([one.ours, two.ours].contains(others.first?.ours ?? -1))
        for pair in others { _ = write(pair.theirs, "y", 1) }
        await turns()
        #expect(!third.told.isEmpty)
        for pair in [one, two] + others {
            epoll.remove(pair.ours)
            close(pair.theirs)
        }
        close(first.told.isEmpty ? two.ours : one.ours)
        for pair in others { close(pair.ours) }
    }

    @Test("A descriptor that cannot be watched is refused")
    @LoopActor func refused() throws {
        let epoll = try Epoll()
        let refused = try thrown(SystemError.self) { try epoll.add(-1, .reading, Member()) }
        #expect(refused?.number == EBADF)
    }
}
