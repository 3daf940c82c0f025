import HomingBase
import HomingRelayProtocol
import HomingRuntime
import HomingSQLite
import HomingTestKit
import Testing

@testable import HomingRelay

/// A store at times that a test says: both stores do the same.
protocol TestedStore: Sendable {
    func accept(_ deposit: Deposit, at now: Int64) async throws -> Acceptance
    func check(_ mailbox: MailboxID, generation: UInt16, at now: Int64) async throws -> TokenCheck
    func open(
        _ mailbox: MailboxID, generation: UInt16, isProven: Bool, at now: Int64
    ) async throws -> MailboxView
    func load(
        _ mailbox: MailboxID, except known: Set<MessageID>, limit: Int, bytes: Int, at now: Int64
    ) async throws -> LoadedMessages
    func acknowledge(_ mailbox: MailboxID, _ ids: [MessageID]) async throws -> Int
    func waiting(among mailboxes: [MailboxID], at now: Int64) async throws -> [MailboxID]
    func raise(
        _ mailbox: MailboxID, above generation: UInt16, at now: Int64
    ) async throws -> Result<UInt16, StoreFailure>
    func setBlocked(_ mailbox: MailboxID, _ isBlocked: Bool) async throws -> Bool
    func forget(_ mailbox: MailboxID) async throws -> Bool
    func summaries(
        after last: MailboxID?, limit: Int, at now: Int64
    ) async throws -> [MailboxSummary]
    func addInvitation(
        _ hash: [UInt8], expires: Int64, uses: Int
    ) async throws -> Result<Void, StoreFailure>
    func spend(_ hash: [UInt8], for mailbox: MailboxID, at now: Int64) async throws -> Bool
    func sweep(at now: Int64) async throws -> Swept
    func statistics() async throws -> StoreStatistics
    /// The same store, opened anew.
    func reopened() async throws -> any TestedStore
}

extension TestedStore {
    /// Deposits, and says what came of it.
    func keep(_ deposit: Deposit, at now: Int64 = noon) async throws -> Acceptance {
        try await accept(deposit, at: now)
    }

    /// The messages that wait, the oldest first.
    func waiting(_ number: Int = 1, at now: Int64 = noon) async throws -> [MessageID] {
        try await load(mailbox(number), except: [], limit: 10_000, bytes: 1 << 30, at: now).messages
            .map(\.id)
    }

    func open(
        _ mailbox: MailboxID, generation: UInt16 = 0, at now: Int64 = noon
    ) async throws -> MailboxView {
        try await open(mailbox, generation: generation, isProven: true, at: now)
    }
}

/// A kind of store.
enum StoreKind: String, CaseIterable, Sendable {
    case sqlite
    case engine

    func store(_ change: (inout StoreLimits) -> Void = { _ in }) async throws -> any TestedStore {
        var limits = StoreLimits()
        change(&limits)
        switch self {
        case .sqlite:
            let folder = try TemporaryFolder()
            return try TestedFile(folder, limits)
        case .engine:
            return try await TestedEngine.start(
                // No power is cut here.
                RedisServer(["--appendfsync", "no"]), limits)
        }
    }
}

/// The file, on the test's thread.
final class TestedFile: TestedStore, @unchecked Sendable {
    private let folder: TemporaryFolder
    private let file: MailboxFile

    init(_ folder: TemporaryFolder, _ limits: StoreLimits) throws {
        self.folder = folder
        file = try MailboxFile(folder.file("relay.db"), limits: limits)
        // No power is cut here.
        try file.database.execute("PRAGMA synchronous = OFF")
    }

    private func work<T>(_ work: (MailboxFile) throws -> T) throws -> T {
        try file.transaction(work)
    }

    func accept(_ deposit: Deposit, at now: Int64) throws -> Acceptance {
        try work { try $0.accept(deposit, at: now) }
    }
    func check(_ mailbox: MailboxID, generation: UInt16, at now: Int64) throws -> TokenCheck {
        try work { try $0.check(mailbox, generation: generation, at: now) }
    }
    func open(
        _ mailbox: MailboxID, generation: UInt16, isProven: Bool, at now: Int64
    ) throws -> MailboxView {
        try work { try $0.open(mailbox, generation: generation, isProven: isProven, at: now) }
    }
    func load(
        _ mailbox: MailboxID, except known: Set<MessageID>, limit: Int, bytes: Int, at now: Int64
    ) throws -> LoadedMessages {
        try work { try $0.load(mailbox, except: known, limit: limit, bytes: bytes, at: now) }
    }
    func acknowledge(_ mailbox: MailboxID, _ ids: [MessageID]) throws -> Int {
        try work { try $0.acknowledge(mailbox, ids[...]) }
    }
    func waiting(among mailboxes: [MailboxID], at now: Int64) throws -> [MailboxID] {
        try work { file in try mailboxes.filter { try file.messages.isWaiting($0, at: now) } }
    }
    func raise(
        _ mailbox: MailboxID, above generation: UInt16, at now: Int64
    ) throws -> Result<UInt16, StoreFailure> {
        try work { try $0.raiseGeneration(mailbox, above: generation, at: now) }
    }
    func setBlocked(_ mailbox: MailboxID, _ isBlocked: Bool) throws -> Bool {
        try work { try $0.setBlocked(mailbox, isBlocked) }
    }
    func forget(_ mailbox: MailboxID) throws -> Bool { try work { try $0.forget(mailbox) } }
    func summaries(after last: MailboxID?, limit: Int, at now: Int64) throws -> [MailboxSummary] {
        try work { try $0.summaries(after: last, limit: limit, at: now) }
    }
    func addInvitation(
        _ hash: [UInt8], expires: Int64, uses: Int
    ) throws -> Result<Void, StoreFailure> {
        try work { try $0.addInvitation(hash, expires: expires, uses: uses) }
    }
    func spend(_ hash: [UInt8], for mailbox: MailboxID, at now: Int64) throws -> Bool {
        try work { try $0.invitations.spend(hash, for: mailbox, at: now) }
    }
    func sweep(at now: Int64) throws -> Swept { try work { try $0.sweep(at: now) } }
    func statistics() throws -> StoreStatistics { try file.statistics() }
    func reopened() throws -> any TestedStore {
        file.database.close()
        return try TestedFile(folder, file.limits)
    }
}

/// The mailboxes in a real engine, whose clock is played.
final class TestedEngine: TestedStore {
    @LoopActor final class PlayedTime {
        var now = noon
    }

    let server: RedisServer
    let store: ValkeyMailboxes
    private let time: PlayedTime
    private let limits: StoreLimits

    private init(
        _ server: RedisServer, _ limits: StoreLimits, _ store: ValkeyMailboxes, _ time: PlayedTime
    ) {
        self.server = server
        self.limits = limits
        self.store = store
        self.time = time
    }

    static func start(_ server: RedisServer, _ limits: StoreLimits) async throws -> TestedEngine {
        LoopThread.start()
        let (store, time) = await spawn {
            let time = PlayedTime()
            let engine = server.engine()
            let store = ValkeyMailboxes(
                engine, limits: limits, firstTime: 0, clock: SystemClock(),
                playedTime: { time.now })
            return (store, time)
        }.value
        let tested = TestedEngine(server, limits, store, time)
        // The server may need a moment to start.
        for _ in 0..<50 where (try? await tested.statistics()) == nil {}
        _ = try await tested.statistics()
        return tested
    }

    private func askStore<Value: Sendable>(
        at now: Int64? = nil,
        _ ask:
            @escaping @Sendable @LoopActor (ValkeyMailboxes, @escaping StoreAnswer<Value>) -> Void
    ) async -> Result<Value, StoreFailure> {
        await spawn { [store, time] in
            if let now { time.now = now }
            return await withCheckedContinuation { continuation in
                ask(store) { continuation.resume(returning: $0) }
            }
        }.value
    }

    func accept(_ deposit: Deposit, at now: Int64) async throws -> Acceptance {
        try await askStore(at: now) { $0.accept(deposit, $1) }.get()
    }
    func check(_ mailbox: MailboxID, generation: UInt16, at now: Int64) async throws -> TokenCheck {
        try await askStore(at: now) { $0.check(mailbox, generation: generation, $1) }.get()
    }
    func open(
        _ mailbox: MailboxID, generation: UInt16, isProven: Bool, at now: Int64
    ) async throws -> MailboxView {
        try await askStore(at: now) {
            $0.open(mailbox, generation: generation, isProven: isProven, $1)
        }.get()
    }
    func load(
        _ mailbox: MailboxID, except known: Set<MessageID>, limit: Int, bytes: Int, at now: Int64
    ) async throws -> LoadedMessages {
        try await askStore(at: now) {
            $0.load(mailbox, except: known, limit: limit, bytes: bytes, $1)
        }.get()
    }
    func acknowledge(_ mailbox: MailboxID, _ ids: [MessageID]) async throws -> Int {
        try await askStore { $0.acknowledge(mailbox, ids, $1) }.get()
    }
    func waiting(among mailboxes: [MailboxID], at now: Int64) async throws -> [MailboxID] {
        try await askStore(at: now) { $0.waiting(among: mailboxes, $1) }.get()
    }
    func raise(
        _ mailbox: MailboxID, above generation: UInt16, at now: Int64
    ) async -> Result<UInt16, StoreFailure> {
        await askStore(at: now) { $0.raiseGeneration(mailbox, above: generation, $1) }
    }
    func setBlocked(_ mailbox: MailboxID, _ isBlocked: Bool) async throws -> Bool {
        try await askStore { $0.setBlocked(mailbox, isBlocked, $1) }.get()
    }
    func forget(_ mailbox: MailboxID) async throws -> Bool {
        try await askStore { $0.forget(mailbox, $1) }.get()
    }
    func summaries(
        after last: MailboxID?, limit: Int, at now: Int64
    ) async throws -> [MailboxSummary] {
        try await askStore(at: now) { $0.mailboxes(after: last, limit: limit, $1) }.get()
    }
    func addInvitation(
        _ hash: [UInt8], expires: Int64, uses: Int
    ) async -> Result<Void, StoreFailure> {
        await askStore { $0.addInvitation(hash, expires: expires, uses: uses, $1) }
    }
    func spend(_ hash: [UInt8], for mailbox: MailboxID, at now: Int64) async throws -> Bool {
        try await askStore(at: now) { $0.spend(hash, for: mailbox, $1) }.get()
    }
    func sweep(at now: Int64) async throws -> Swept {
        try await askStore(at: now) { $0.sweep(at: now, $1) }.get()
    }
    func statistics() async throws -> StoreStatistics {
        try await askStore { $0.statistics($1) }.get()
    }
    func reopened() async throws -> any TestedStore {
        await spawn { [store] in await store.close() }.value
        return try await TestedEngine.start(server, limits)
    }
}
