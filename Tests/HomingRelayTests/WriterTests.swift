import Glibc
import HomingBase
import HomingRelayProtocol
import HomingRuntime
import HomingSQLite
import HomingTestKit
import Synchronization
import Testing

@testable import HomingRelay

/// A disk that keeps the writer waiting until it is let go on.
final class HeldDisk: Sendable {
    private let isHeld = Atomic<Bool>(true)

    /// Keeps the writer waiting until the disk is let go.
    func wait() {
        while isHeld.load(ordering: .acquiring) { usleep(200) }
    }

    func release() { isHeld.store(false, ordering: .releasing) }
}

/// The thread that writes, and what the loop sees of it.
@Suite("The writer of the mailboxes")
struct WriterTests {
    private let folder: TemporaryFolder

    init() throws {
        LoopThread.start()
        folder = try TemporaryFolder()
    }

    @LoopActor private func open(
        _ change: (inout StoreLimits) -> Void = { _ in }
    ) async throws -> SQLiteMailboxes {
        var limits = StoreLimits()
        change(&limits)
        let clock = VirtualClock(unixTime: Seconds(noon / 1000))
        return try await SQLiteMailboxes.open(folder.file("relay.db"), limits: limits, clock: clock)
    }

    /// Keeps the writer busy from now on.
    @LoopActor private func hold(_ store: SQLiteMailboxes) async -> HeldDisk {
        let disk = HeldDisk()
        await withCheckedContinuation { continuation in
            store.submit({ (_: Result<Void, StoreFailure>) in }) { (_) throws(DatabaseError) in
                continuation.resume()
                disk.wait()
                return .success(())
            }
        }
        return disk
    }

    /// Answers as they come, and a wait for all of them.
    @LoopActor private final class Answers<Value: Sendable> {
        private(set) var all: [Result<Value, StoreFailure>] = []
        private var awaited: (count: Int, CheckedContinuation<Void, Never>)?

        func addResult(_ result: Result<Value, StoreFailure>) {
            all.append(result)
            guard let (count, continuation) = awaited, all.count >= count else { return }
            awaited = nil
            continuation.resume()
        }

        func wait(for count: Int) async {
            // Whoever waits may be put behind others before it begins to wait.
            await withCheckedContinuation { continuation in
                if all.count >= count { return continuation.resume() }
                awaited = (count, continuation)
            }
        }

        var values: [Value] { all.compactMap { try? $0.get() } }
        var failures: [StoreFailure] {
            all.compactMap { if case .failure(let failure) = $0 { failure } else { nil } }
        }
    }

    @Test("commits all that waits at once, and takes exactly the maximum of a thousand")
    @LoopActor func group() async throws {
        let store = try await open { $0.messages = 1000 }
        let deposits = Deposits()
        let answers = Answers<Acceptance>()
        let disk = await hold(store)
        for _ in 0..<1000 { store.accept(deposits.next()) { answers.addResult($0) } }
        disk.release()
        await answers.wait(for: 1000)
        #expect(answers.values.filter(\.isStored).count == 150)
        #expect(answers.values.filter(\.isLimited).count == 850)
        #expect(answers.values.last?.count?.errors == 850)
        let statistics = try await store.answer { store.statistics($0) }
        // The opening, what was held, 1000 in batches of 512, and this question.
        #expect(statistics.commits == 5 && statistics.operations == 1003)
        await store.close()
    }

    @Test("leaves the loop free while the disk stands still, and commits afterwards")
    @LoopActor func slowDisk() async throws {
        let store = try await open()
        let answers = Answers<Acceptance>()
        let deposit = Deposits().next()
        let disk = await hold(store)
        store.accept(deposit) { answers.addResult($0) }
        for _ in 0..<20 { await spawn {}.value }
        #expect(answers.all.isEmpty)
        disk.release()
        await answers.wait(for: 1)
        #expect(answers.values.first?.isStored == true)
        let waiting = try await store.answer { store.waiting(among: [mailbox(2), mailbox(1)], $0) }
        #expect(waiting == [mailbox(1)])
        await store.close()
    }

    @Test("refuses what would wait beyond the bound, and goes on")
    @LoopActor func overload() async throws {
        let store = try await open { ($0.maximum, $0.messages) = (0, 10) }
        let deposits = Deposits()
        let answers = Answers<Acceptance>()
        let disk = await hold(store)
        let count = WriterThread.waitingLimit / (60 << 10)
        let waiting = WriterThread.waitingLimit / ((60 << 10) + (8 << 10) + 512)
        for _ in 0..<count + 50 {
            store.accept(deposits.next(size: 60 << 10)) { answers.addResult($0) }
        }
        disk.release()
        await answers.wait(for: count + 50)
        #expect(answers.failures.count == count + 50 - waiting)
        #expect(Set(answers.failures.map(\.kind)) == [.overloaded])
        let next = try await store.answer { store.accept(deposits.next(), $0) }
        #expect(next.isStored)
        await store.close()
    }

    @Test("counts what a batch leaves behind among the bytes that wait")
    func batches() {
        let work = WaitingWork(limit: 100)
        func add(_ bytes: Int) -> StoreFailure.Kind? {
            work.add(StoreOperation(), bytes: bytes)?.kind
        }
        #expect([add(40), add(30), add(30), add(1)] == [nil, nil, nil, .overloaded])
        #expect(work.takeBatch(of: 2)?.count == 2)
        #expect([add(71), add(70), add(1)] == [.overloaded, nil, .overloaded])
        #expect(work.takeBatch(of: 9)?.count == 2)
        work.end()
        #expect(add(1) == .closed && work.takeBatch(of: 9) == nil)
    }

    @Test("lets an operation that fails fail alone")
    @LoopActor func failure() async throws {
        let store = try await open { ($0.maximum, $0.mailboxes) = (0, 2) }
        let deposits = Deposits()
        let answers = Answers<Acceptance>()
        let (bad, odd) = (Answers<Int>(), Answers<Int>())
        let disk = await hold(store)
        for number in 0..<100 {
            store.accept(deposits.next()) { answers.addResult($0) }
            guard number % 40 == 7 else { continue }
            store.submit({ bad.addResult($0) }) { (file) throws(DatabaseError) in
                try file.database.run("UPDATE mailbox SET dropped = 99")
                try file.database.run("INSERT INTO mailbox (id, used) VALUES (x'00', 1)")
                return .success(1)
            }
            store.submit({ odd.addResult($0) }) { (_) throws(DatabaseError) in
                .failure(StoreFailure(.exhausted, "as it says"))
            }
        }
        disk.release()
        await answers.wait(for: 100)
        await bad.wait(for: 3)
        await odd.wait(for: 3)
        #expect(answers.values.filter(\.isStored).count == 100)
        #expect(answers.values.last?.count?.notifications == 100)
        #expect(bad.failures.map(\.kind) == [.failed, .failed, .failed])
        #expect(odd.failures.map(\.kind) == [.exhausted, .exhausted, .exhausted])
        let loaded = try await store.answer {
            store.load(mailbox(1), except: [], limit: 200, bytes: .max, $0)
        }
        #expect(loaded.messages.count == 100 && loaded.unreported == 0)
        // What came to nothing is not counted: there is room for one more mailbox.
        var more: [Acceptance] = []
        for number in 2...3 {
            more.append(
                try await store.answer { store.accept(deposits.next(for: mailbox(number)), $0) })
        }
        #expect(more[0].isStored && more[1] == .full(.mailboxes))
        await store.close()
    }

    @Test("says that the disk is full, keeps what it has, and goes on when there is room")
    @LoopActor func fullDisk() async throws {
        let store = try await open { $0.maximum = 0 }
        let deposits = Deposits()
        let first = try await store.answer { store.accept(deposits.next(), $0) }
        #expect(first.isStored)
        try await setPages(store, nil)
        let answers = Answers<Acceptance>()
        let disk = await hold(store)
        for _ in 0..<40 { store.accept(deposits.next(size: 20_000)) { answers.addResult($0) } }
        disk.release()
        await answers.wait(for: 40)
        #expect(answers.failures.count == 40)
        #expect(answers.failures.allSatisfy { $0.kind == .full && "\($0)".contains("make room") })
        let loaded = try await store.answer {
            store.load(mailbox(1), except: [], limit: 99, bytes: .max, $0)
        }
        #expect(loaded.messages.count == 1)
        try await setPages(store, 10_000)
        let next = try await store.answer { store.accept(deposits.next(size: 20_000), $0) }
        #expect(next.isStored && next.count?.notifications == 2)
        await store.close()
    }

    /// Lets the file have so many pages, or no more than it has.
    @LoopActor private func setPages(_ store: SQLiteMailboxes, _ count: Int?) async throws {
        try await store.answer { answer in
            store.submit(answer) { (file) throws(DatabaseError) in
                let present = try file.database.integer("PRAGMA page_count") ?? 0
                let most = count.map { Int64($0) } ?? present
                try file.database.execute("PRAGMA max_page_count = \(most)")
                return .success(())
            }
        }
    }

    @Test("has on the disk what it has answered, whenever it is killed")
    @LoopActor func kill() async throws {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed): kills of the writer")
        var random = SeededRandom(seed: seed)
        let store = try await open { ($0.maximum, $0.messages) = (0, 5000) }
        let deposits = Deposits()
        var kept: [MessageID] = []
        for _ in 0..<30 {
            let answers = Answers<Acceptance>()
            let some = (0..<Int.random(in: 1...40, using: &random)).map { _ in deposits.next() }
            for deposit in some { store.accept(deposit) { answers.addResult($0) } }
            await answers.wait(for: some.count)
            kept += some.map(\.id)
            if Bool.random(using: &random) {
                let ids = Array(kept.prefix(Int.random(in: 1...32, using: &random)))
                let count = try await store.answer { store.acknowledge(mailbox(1), ids, $0) }
                #expect(count == ids.count)
                kept.removeFirst(ids.count)
            }
            let dead = try folder.copy()
            let file = try MailboxFile(dead.file("relay.db"), limits: StoreLimits())
            #expect(try file.waiting() == kept, "seed \(seed)")
        }
        await store.close()
    }

    @Test("does what waits before it closes, and nothing afterwards")
    @LoopActor func close() async throws {
        let store = try await open()
        let answers = Answers<Acceptance>()
        let deposits = Deposits()
        let disk = await hold(store)
        for _ in 0..<5 { store.accept(deposits.next()) { answers.addResult($0) } }
        disk.release()
        await store.close()
        #expect(answers.values.filter(\.isStored).count == 5)
        store.accept(deposits.next()) { answers.addResult($0) }
        await answers.wait(for: 6)
        #expect(answers.failures.map(\.kind) == [.closed])
        await store.close()
        let file = try MailboxFile(folder.file("relay.db"), limits: StoreLimits())
        #expect(try file.waiting().count == 5)
    }

    @Test("keeps a second relay out")
    @LoopActor func second() async throws {
        let store = try await open()
        let failure = try await thrown(DatabaseError.self) { try await open() }
        #expect(failure?.kind == .failed)
        #expect(failure?.message.contains("another process has it open") == true)
        await store.close()
        try await open().close()
    }
}
