import HomingBase
import HomingRelayProtocol
import HomingRuntime
import HomingTestKit
import HomingValkey
import Testing

@testable import HomingRelay

/// The client and the store, with a real redis-server.
@Suite("The mailboxes in an engine")
struct EngineTests {
    init() { LoopThread.start() }

    private func settings(_ server: RedisServer) -> EngineSettings {
        EngineSettings(seeds: [server.address])
    }

    /// Opens the mailboxes; the server may need a moment to start.
    @LoopActor private func open(_ server: RedisServer) async throws -> ValkeyMailboxes {
        for _ in 0..<20 {
            if let store = try? await ValkeyMailboxes.open(settings(server), limits: StoreLimits())
            {
                return store
            }
        }
        return try await ValkeyMailboxes.open(settings(server), limits: StoreLimits())
    }

    @LoopActor private func keep(
        _ deposit: Deposit, _ store: ValkeyMailboxes
    ) async throws -> Acceptance {
        try await store.answer { store.accept(deposit, $0) }
    }

    /// Deposits of the present time.
    @LoopActor private func deposit(
        _ deposits: Deposits, for mailbox: MailboxID = mailbox(1), size: Int = 100
    ) -> Deposit {
        deposits.next(for: mailbox, at: Int64(SystemClock.now().unixTime * 1000), size: size)
    }

    @LoopActor private func command(
        _ words: [String], _ server: RedisServer
    ) async -> Result<Reply, EngineFailure> {
        await command(words.map { Array($0.utf8) }, server)
    }

    @LoopActor private func command(
        _ words: [[UInt8]], _ server: RedisServer
    ) async -> Result<Reply, EngineFailure> {
        let engine = server.engine()
        defer { engine.close() }
        return await withCheckedContinuation { continuation in
            engine.send(Command(words), key: []) {
                continuation.resume(returning: $0)
            }
        }
    }

    @Test("are what several relays share: each tells the others what it stores and blocks")
    @LoopActor func events() async throws {
        let server = try RedisServer()
        let (one, other) = (try await open(server), try await open(server))
        let heard = Heard()
        other.listen { heard.hearStoreEvent($0) }
        other.follow(mailbox(1))
        try await heard.wait(for: .keysChanged)
        try await heard.wait(for: .stored(mailbox(1)))
        heard.forget()
        let deposits = Deposits()
        #expect(try await keep(deposit(deposits, for: mailbox(2)), one).isStored)
        #expect(try await keep(deposit(deposits), one).isStored)
        try await heard.wait(for: .stored(mailbox(1)))
        #expect(try await one.answer { one.setBlocked(mailbox(1), true, $0) })
        try await heard.wait(for: .blocked(mailbox(1)))
        #expect(!heard.all.contains(.stored(mailbox(2))))
        heard.forget()
        other.unfollow(mailbox(1))
        _ = try await one.answer { one.setBlocked(mailbox(1), false, $0) }
        #expect(
            try await keep(
                deposits.next(generation: 1, at: Int64(SystemClock.now().unixTime * 1000)), one
            ).isStored)
        _ = try await other.answer { other.statistics($0) }
        #expect(!heard.all.contains(.stored(mailbox(1))))
        for store in [one, other] { await store.close() }
    }

    @Test("tell of a block that was made while the subscription was broken")
    @LoopActor func missedBlock() async throws {
        let server = try RedisServer()
        let (one, other) = (try await open(server), try await open(server))
        let heard = Heard()
        #expect(try await keep(deposit(Deposits()), one).isStored)
        other.listen { heard.hearStoreEvent($0) }
        other.follow(mailbox(1))
        try await heard.wait(for: .stored(mailbox(1)))
        heard.forget()
        _ = await command(["CLIENT", "KILL", "TYPE", "pubsub"], server)
        #expect(try await one.answer { one.setBlocked(mailbox(1), true, $0) })
        try await heard.wait(for: .blocked(mailbox(1)))
        for store in [one, other] { await store.close() }
    }

    @Test("are not shared out among nodes that are no cluster")
    @LoopActor func severalNodes() async throws {
        let servers = [try RedisServer(), try RedisServer()]
        for server in servers { await (try open(server)).close() }
        let settings = EngineSettings(seeds: servers.map(\.address))
        let failure = try await thrown(StoreFailure.self) {
            try await ValkeyMailboxes.open(settings, limits: StoreLimits())
        }
        #expect(failure?.kind == .unfit)
        #expect(failure?.description.contains("name a single node") == true)
        // Nothing else keeps them running until here.
        withExtendedLifetime(servers) {}
    }

    @Test("keep revoked tokens and the day's counts when the engine's clock leaps ahead")
    @LoopActor func leap() async throws {
        let server = try RedisServer()
        await (try open(server)).close()
        let (clock, time) = (VirtualClock(), TestedEngine.PlayedTime())
        let store = ValkeyMailboxes(
            server.engine(), limits: StoreLimits(), firstTime: 0, clock: clock,
            playedTime: { time.now })
        let deposits = Deposits()
        _ = try await store.answer { store.raiseGeneration(mailbox(1), above: 0, $0) }
        for day in 0..<20 {
            time.now = noon + Int64(day - 19) * 24 * hour
            let deposit = deposits.next(generation: 1, at: time.now)
            #expect(try await keep(deposit, store).isStored)
        }
        _ = try await store.answer { store.raiseGeneration(mailbox(2), above: 0, $0) }
        // A month of sweeping, and then a leap.
        for _ in 0..<30 {
            clock.pass(86_400)
            _ = try await store.answer { store.sweep($0) }
        }
        time.now += 463 * 24 * hour
        for _ in 0..<3 {
            clock.pass(3600)
            time.now += 24 * hour
            _ = try await store.answer { store.sweep($0) }
            let later = deposits.next(generation: 1, at: time.now)
            #expect(try await keep(later, store).isStored)
        }
        time.now = noon + 60_000
        for number in 1...2 {
            let check = try await store.answer {
                store.check(mailbox(number), generation: 0, $0)
            }
            #expect(check == .revoked, "mailbox \(number)")
        }
        let check = try await store.answer { store.check(mailbox(1), generation: 1, $0) }
        guard case .good(let count) = check else { return #expect(Bool(false)) }
        #expect(count.notifications == 1)
        let words = [Array("HKEYS".utf8), MailboxKeys.row(mailbox(1))]
        let fields = try await command(words, server).get()
        #expect(fields.array?.count == 4 + 8)
        await store.close()
        // Another relay knows how far sweeping was.
        let other = ValkeyMailboxes(
            server.engine(), limits: StoreLimits(), firstTime: 0, clock: clock,
            playedTime: { time.now })
        time.now += 463 * 24 * hour
        _ = try await other.answer { other.sweep($0) }
        let again = try await other.answer { other.check(mailbox(2), generation: 0, $0) }
        #expect(again == .revoked)
        await other.close()
    }

    @Test("count a thousand deposits of two relays exactly")
    @LoopActor func exactness() async throws {
        let server = try RedisServer()
        let stores = [try await open(server), try await open(server)]
        let deposits = Deposits()
        let all = Answers()
        for number in 0..<1000 {
            stores[number % 2].accept(deposit(deposits)) { all.addAcceptance($0) }
        }
        await all.wait(for: 1000)
        #expect(all.outcomes.count == 1000)
        #expect(all.outcomes.filter(\.isStored).count == 150)
        #expect(all.outcomes.filter(\.isLimited).count == 850)
        for store in stores { await store.close() }
    }

    @Test(
        "are there again when the engine has lost its scripts, and after the engine was restarted")
    @LoopActor func scripts() async throws {
        let server = try RedisServer()
        let store = try await open(server)
        let deposits = Deposits()
        #expect(try await keep(deposit(deposits), store).isStored)
        _ = await command(["SCRIPT", "FLUSH"], server)
        #expect(try await keep(deposit(deposits), store).isStored)
        await store.close()
        let failure = try await thrown(StoreFailure.self) {
            try await keep(deposit(deposits), store)
        }
        #expect(failure?.kind == .closed)
    }

    @Test("say what is wrong when the engine cannot be reached, has no memory, or may not write")
    @LoopActor func failures() async throws {
        let server = try RedisServer()
        let store = try await open(server)
        let deposits = Deposits()
        _ = await command(["CONFIG", "SET", "maxmemory", "1"], server)
        let full = try await thrown(StoreFailure.self) { try await keep(deposit(deposits), store) }
        #expect(full?.kind == .full && full?.description.contains("raise maxmemory") == true)
        _ = await command(["CONFIG", "SET", "maxmemory", "0"], server)
        #expect(try await keep(deposit(deposits), store).isStored)
        _ = await command(["CONFIG", "SET", "min-replicas-to-write", "1"], server)
        let refused = try await thrown(StoreFailure.self) {
            try await keep(deposit(deposits), store)
        }
        #expect(refused?.kind == .failed && refused?.description.contains("NOREPLICAS") == true)
        server.end()
        let begin = SystemClock.now().uptime
        let gone = try await thrown(StoreFailure.self) { try await keep(deposit(deposits), store) }
        #expect(gone?.kind == .failed && gone?.description.contains("127.0.0.1") == true)
        #expect(SystemClock.now().uptime - begin < 3)
        await store.close()
    }

    @Test("may hold any numbers: no operation ends the relay, and no start")
    @LoopActor func numbers() async throws {
        let server = try RedisServer()
        let store = try await open(server)
        let deposits = Deposits()
        let box = mailbox(1)
        let row = MailboxKeys.row(box)
        for number in ["9223372036854775807", "9223372036854774784", "-9223372036854775808"] {
            for shelf in 0..<2 {
                let counts = MailboxKeys.prefix(shelf) + Array("n".utf8)
                _ = await command(
                    [
                        Array("HSET".utf8), counts, Array("messages".utf8),
                        Array(number.utf8), Array("bytes".utf8), Array(number.utf8),
                    ], server)
            }
            let day = RelayTime.day(of: Int64(SystemClock.now().unixTime * 1000))
            let tally = "\(number) 0 \(number) 0 0"
            _ = await command(
                [
                    Array("HSET".utf8), row, Array("t\(day)".utf8),
                    Array(tally.utf8), Array("d".utf8), Array(number.utf8),
                ], server)
            _ = try? await keep(deposit(deposits), store)
            _ = try? await store.answer { store.check(box, generation: 0, $0) }
            _ = try? await store.answer {
                store.open(box, generation: 0, isProven: true, $0)
            }
            _ = try? await store.answer { store.load(box, except: [], limit: 9, bytes: .max, $0) }
            _ = try? await store.answer { store.mailboxes(after: nil, limit: 9, $0) }
            _ = try await store.answer { store.statistics($0) }
            let again = try await open(server)
            #expect(try await keep(deposit(deposits, for: mailbox(2)), again).isStored)
            await again.close()
        }
        await store.close()
    }

    @Test("delete thousands of messages at once")
    @LoopActor func thousands() async throws {
        let server = try RedisServer()
        let store = try await open(server)
        let deposits = Deposits()
        _ = try await keep(deposit(deposits), store)
        let heads = MailboxKeys.prefix(of: mailbox(1)) + Array("h:".utf8) + mailbox(1).bytes
        // 9000 messages that have expired.
        let fill = """
            local all = {}
            for i = 1, 9000 do
              all[i] = struct.pack('>c16BBc16I4I8I4', string.format('%016d', i), 0, 0,
                string.rep('\\0', 16), 0, 1, 10)
            end
            return redis.call('SET', KEYS[1], table.concat(all))
            """
        _ = try await command(
            [Array("EVAL".utf8), Array(fill.utf8), Array("1".utf8), heads], server
        ).get()
        #expect(try await keep(deposit(deposits), store).isStored)
        let loaded = try await store.answer {
            store.load(mailbox(1), except: [], limit: 9, bytes: .max, $0)
        }
        #expect(loaded.messages.count == 1 && loaded.unreported == 9000)
        await store.close()
    }

    @Test("refuse what has expired by the engine's clock, which is ahead of the relay's")
    @LoopActor func late() async throws {
        let server = try RedisServer()
        let store = try await open(server)
        let slow = Int64(SystemClock.now().unixTime * 1000) - 2 * hour
        let deposit = Deposits().next(at: slow, life: hour)
        let failure = try await thrown(StoreFailure.self) { try await keep(deposit, store) }
        #expect(failure?.description.contains("set both clocks") == true)
        await store.close()
    }

    @Test("are not told stored before as many replicas have them as are asked for")
    @LoopActor func replicas() async throws {
        let server = try RedisServer()
        _ = try await open(server)
        let engine = server.engine(proof: .replicas(1))
        let store = ValkeyMailboxes(
            engine, limits: StoreLimits(), firstTime: 0, clock: SystemClock())
        let deposit = deposit(Deposits())
        let failure = try await thrown(StoreFailure.self) { try await keep(deposit, store) }
        #expect(failure?.description.contains("0 of 1 replicas") == true)
        // It is there all the same, and is delivered.
        let loaded = try await store.answer {
            store.load(mailbox(1), except: [], limit: 9, bytes: 9999, $0)
        }
        #expect(loaded.messages.map(\.id) == [deposit.id])
        await store.close()
    }

    @Test("count what they hold, and tell of the engine")
    @LoopActor func counts() async throws {
        let server = try RedisServer()
        let store = try await open(server)
        let deposits = Deposits()
        for number in 1...3 {
            _ = try await keep(deposit(deposits, for: mailbox(number), size: 2000), store)
        }
        let statistics = try await store.answer { store.statistics($0) }
        #expect(statistics.mailboxes == 3 && statistics.messages == 3 && statistics.bytes == 6000)
        // Debian 12 has Redis 7, Debian 13 has Redis 8.
        #expect(statistics.engine?.version.hasPrefix("Redis ") == true)
        #expect(statistics.engine?.nodes == [server.address.description])
        _ = try await store.answer { store.forget(mailbox(2), $0) }
        let after = try await store.answer { store.statistics($0) }
        #expect(after.mailboxes == 2 && after.messages == 2 && after.bytes == 4000)
        await store.close()
    }
}

/// Events as they come.
@LoopActor private final class Heard {
    private(set) var all: [StoreEvent] = []

    nonisolated init() {}

    func hearStoreEvent(_ event: StoreEvent) { all.append(event) }
    func forget() { all = [] }

    func wait(for event: StoreEvent) async throws {
        let begin = SystemClock.now().uptime
        while !all.contains(event) {
            try #require(SystemClock.now().uptime - begin < 20, "\(event)")
            await spawn {}.value
        }
    }
}

/// Outcomes as they come, and a wait for all of them.
@LoopActor private final class Answers {
    private(set) var outcomes: [Acceptance] = []
    private var count = 0

    nonisolated init() {}

    func addAcceptance(_ result: Result<Acceptance, StoreFailure>) {
        count += 1
        if case .success(let outcome) = result { outcomes.append(outcome) }
    }

    func wait(for number: Int) async {
        while count < number { await spawn {}.value }
    }
}
