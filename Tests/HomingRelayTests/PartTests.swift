import Glibc
import HomingBase
import HomingCrypto
import HomingRelayProtocol
import HomingRuntime
import HomingServer
import HomingTestKit
import Testing

@testable import HomingRelay

/// Small parts of the service.
@Suite("Parts of a relay")
struct PartTests {
    private let folder: TemporaryFolder

    init() throws {
        LoopThread.start()
        folder = try TemporaryFolder()
    }

    @LoopActor private func open(_ clock: VirtualClock) async throws -> SQLiteMailboxes {
        try await SQLiteMailboxes.open(
            folder.file("relay.db"), limits: StoreLimits(), clock: clock)
    }

    /// Waits until so many messages wait.
    @LoopActor private func wait(_ store: SQLiteMailboxes, for count: Int) async throws {
        let begin = SystemClock.now().uptime
        while try await store.answer({ store.statistics($0) }).messages != count {
            try #require(SystemClock.now().uptime - begin < 20, "messages")
        }
    }

    @Test("reads a certificate again whose rights alone were mended")
    @LoopActor func certificateRights() throws {
        let clock = VirtualClock()
        let path = try folder.write("no certificate", to: "fullchain.pem")
        let keeper = CertificateKeeper(certificate: path, key: path, clock: clock) { _ in }
        #expect(throws: ServerFailure.self) { try keeper.first() }
        clock.pass(130)
        #expect(!keeper.isFailing, "nothing has changed, and nothing was read")
        chmod(path, 0o644)
        clock.pass(61)
        #expect(keeper.isFailing, "the file was read again")
    }

    @Test("gives ids that are later than those of the last run, and than each other")
    @LoopActor func ids() throws {
        let clock = VirtualClock(unixTime: Seconds(noon / 1000))
        let room = SealingRoom(try TokenRing.random(), after: noon + hour, clock)
        let first = room.nextID()
        clock.step(by: -86_400)
        let second = room.nextID()
        #expect(first.milliseconds == noon + hour && first < second)
        #expect(room.now == noon - 24 * hour)
    }

    @Test("sweeps at the start in as many pieces as it takes, and each hour")
    @LoopActor func sweeping() async throws {
        let clock = VirtualClock(unixTime: Seconds(noon / 1000))
        let store = try await open(clock)
        let deposits = Deposits()
        for number in 0..<450 {
            let deposit = deposits.next(for: mailbox(number), life: -1)
            store.accept(deposit) { _ in }
        }
        let filled = try await store.answer { store.statistics($0) }
        try #require(filled.messages == 450)
        let sweeper = Sweeper(store, clock)
        try await wait(store, for: 250)
        clock.pass(0.2)
        try await wait(store, for: 50)
        clock.pass(0.2)
        try await wait(store, for: 0)
        let late = try await store.answer {
            store.accept(deposits.next(life: hour / 2), $0)
        }
        #expect(late.isStored)
        clock.pass(3700)
        try await wait(store, for: 0)
        // No more after the end.
        sweeper.end()
        let count = clock.count
        clock.pass(10_000)
        #expect(clock.count == count)
        await store.close()
    }

    @Test("calls for each at its time by one timer, and for none without")
    @LoopActor func dueList() {
        let clock = VirtualClock()
        var due: [Int] = []
        let list = DueList<Int>(after: 10, clock) { due.append($0) }
        #expect(clock.isIdle)
        for number in 0..<5 {
            list.add(number)
            clock.pass(1)
        }
        #expect(due.isEmpty)
        clock.pass(5)
        #expect(due == [0])
        clock.pass(2)
        list.add(5)
        #expect(due == [0, 1, 2])
        clock.pass(9)
        #expect(due == [0, 1, 2, 3, 4])
        clock.pass(1)
        #expect(due == [0, 1, 2, 3, 4, 5] && clock.isIdle)
    }

    @Test("tells the log of a failing store once, and of its recovery")
    @LoopActor func storeWatch() {
        let clock = VirtualClock()
        var lines: [Bool] = []
        let watch = StoreWatch(clock) { lines.append($1) }
        let before = watch.isFailing
        for _ in 0..<3 { watch.failed("a test says so") }
        let during = watch.isFailing
        watch.worked()
        #expect(!before && during && !watch.isFailing && lines == [true, false])
        for _ in 0..<50 {
            watch.failed("a test says so")
            watch.worked()
        }
        #expect(lines == [true, false])
        clock.pass(StoreWatch.pause)
        watch.failed("a test says so")
        watch.failed("a test says so")
        #expect(watch.isFailing && lines == [true, false, true])
    }

    @Test("waits for what hangs no longer than it may")
    @LoopActor func patience() async {
        let clock = VirtualClock()
        let inTime = await Race.run(5, clock, late: false) { $0(true) }
        var outcome: Bool?
        var end: (@LoopActor (Bool) -> Void)?
        let waiting = spawn {
            outcome = await Race.run(5, clock, late: false) { end = $0 }
        }
        while end == nil { await spawn {}.value }
        let early = outcome
        clock.pass(5)
        await waiting.value
        // The work ends after all, which nobody waits for.
        end?(true)
        #expect(inTime && early == nil && outcome == false && clock.isIdle)
    }
}
