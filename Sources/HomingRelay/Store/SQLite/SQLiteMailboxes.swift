public import HomingRelayProtocol
public import HomingRuntime
public import HomingSQLite

/// The mailboxes of one relay in one SQLite file, which a thread of its own writes.
///
/// `open` starts the thread, and `close` ends the thread. The time of an operation is the time of
/// its call.
@LoopActor public final class SQLiteMailboxes {
    private let writer: WriterThread
    private let clock: any Clockwork
    private var told: (@LoopActor (StoreEvent) -> Void)?
    // Documented at the protocol.
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public nonisolated let firstTime: Int64
    /// The date by which is forgotten.
    private var calendar: StoreCalendar

    private init(_ writer: WriterThread, _ clock: any Clockwork, _ marks: MailboxFile.Marks) {
        self.writer = writer
        self.clock = clock
        firstTime = marks.firstTime
        calendar = StoreCalendar(last: marks.sweptUntil, at: clock.now())
    }

    /// Opens the file, or makes a new file where no file is.
    ///
    /// - Parameter clock: the store's; the clock decides the day, and which messages have expired.
    /// - Throws: `.damaged` for a file that is not whole or not a relay's; `.newerSchema`; `.readOnly`;
    ///   `.failed` if another relay has it open. The file is left as it is.
    public static func open(
        _ path: String, limits: StoreLimits, clock: any Clockwork = SystemClock()
    ) async throws(DatabaseError) -> SQLiteMailboxes {
        let writer = try await WriterThread.start { () throws(DatabaseError) in
            try MailboxFile(path, limits: limits)
        }
        let marks = await withCheckedContinuation { continuation in
            writer.submit { (file) throws(DatabaseError) in
                .success(file.marks)
            } told: {
                continuation.resume(returning: $0)
            }
        }
        do throws(StoreFailure) {
            return SQLiteMailboxes(writer, clock, try marks.get())
        } catch {
            await writer.end()
            throw DatabaseError(.failed, error.description)
        }
    }

    /// Has work done in the writer's next transaction.
    ///
    /// - Parameter bytes: what the work holds in memory.
    func submit<Value: Sendable>(
        bytes: Int = 0, _ answer: @escaping StoreAnswer<Value>,
        _ work: @escaping StoreQuestion<Value>.Work
    ) {
        writer.submit(bytes: bytes, work, told: answer)
    }

    /// Time by the store's clock: milliseconds since 1970.
    var now: Int64 { RelayTime.milliseconds(clock.now().unixTime) }
}

// Documented at the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SQLiteMailboxes: MailboxStore {
    public func listen(_ told: @escaping @LoopActor (StoreEvent) -> Void) { self.told = told }

    // No other process writes the file, so the store itself sends each event.
    public func follow(_ mailbox: MailboxID) {}
    public func unfollow(_ mailbox: MailboxID) {}

    /// Bytes that a deposit counts beside its parcel among the waiting work: a deposit costs a
    /// sync.
    private static let depositBytes = 8 << 10

    public func accept(_ deposit: Deposit, _ answer: @escaping StoreAnswer<Acceptance>) {
        let now = now
        let answered: StoreAnswer<Acceptance> = { [weak self] result in
            answer(result)
            if case .success(.stored) = result { self?.told?(.stored(deposit.mailbox)) }
        }
        submit(bytes: deposit.parcel.count + Self.depositBytes, answered) {
            (file) throws(DatabaseError) in .success(try file.accept(deposit, at: now))
        }
    }

    public func check(
        _ mailbox: MailboxID, generation: UInt16, _ answer: @escaping StoreAnswer<TokenCheck>
    ) {
        let now = now
        submit(answer) { (file) throws(DatabaseError) in
            .success(try file.check(mailbox, generation: generation, at: now))
        }
    }

    public func open(
        _ mailbox: MailboxID, generation: UInt16, isProven: Bool,
        _ answer: @escaping StoreAnswer<MailboxView>
    ) {
        let now = now
        submit(answer) { (file) throws(DatabaseError) in
            .success(
                try file.open(mailbox, generation: generation, isProven: isProven, at: now))
        }
    }

    public func load(
        _ mailbox: MailboxID, except known: Set<MessageID>, limit: Int, bytes: Int,
        _ answer: @escaping StoreAnswer<LoadedMessages>
    ) {
        let now = now
        submit(answer) { (file) throws(DatabaseError) in
            .success(try file.load(mailbox, except: known, limit: limit, bytes: bytes, at: now))
        }
    }

    public func acknowledge(
        _ mailbox: MailboxID, _ ids: [MessageID], _ answer: @escaping StoreAnswer<Int>
    ) {
        submit(answer) { (file) throws(DatabaseError) in
            .success(try file.acknowledge(mailbox, ids.prefix(RelayFrame.window)))
        }
    }

    public func waiting(among mailboxes: [MailboxID], _ answer: @escaping StoreAnswer<[MailboxID]>)
    {
        let now = now
        submit(answer) { (file) throws(DatabaseError) in
            var found: [MailboxID] = []
            for mailbox in mailboxes where try file.messages.isWaiting(mailbox, at: now) {
                found.append(mailbox)
            }
            return .success(found)
        }
    }

    public func raiseGeneration(
        _ mailbox: MailboxID, above generation: UInt16, _ answer: @escaping StoreAnswer<UInt16>
    ) {
        let now = now
        submit(answer) { (file) throws(DatabaseError) in
            try file.raiseGeneration(mailbox, above: generation, at: now)
        }
    }

    public func setBlocked(
        _ mailbox: MailboxID, _ isBlocked: Bool, _ answer: @escaping StoreAnswer<Bool>
    ) {
        let answered: StoreAnswer<Bool> = { [weak self] result in
            answer(result)
            if case .success(true) = result, isBlocked { self?.told?(.blocked(mailbox)) }
        }
        submit(answered) { (file) throws(DatabaseError) in
            .success(try file.setBlocked(mailbox, isBlocked))
        }
    }

    public func forget(_ mailbox: MailboxID, _ answer: @escaping StoreAnswer<Bool>) {
        submit(answer) { (file) throws(DatabaseError) in .success(try file.forget(mailbox)) }
    }

    public func mailboxes(
        after last: MailboxID?, limit: Int, _ answer: @escaping StoreAnswer<[MailboxSummary]>
    ) {
        let now = now
        submit(answer) { (file) throws(DatabaseError) in
            .success(try file.summaries(after: last, limit: limit, at: now))
        }
    }

    public func addInvitation(
        _ hash: [UInt8], expires: Int64, uses: Int, _ answer: @escaping StoreAnswer<Void>
    ) {
        submit(answer) { (file) throws(DatabaseError) in
            try file.addInvitation(hash, expires: expires, uses: uses)
        }
    }

    public func spend(
        _ hash: [UInt8], for mailbox: MailboxID, _ answer: @escaping StoreAnswer<Bool>
    ) {
        let now = now
        submit(answer) { (file) throws(DatabaseError) in
            .success(try file.invitations.spend(hash, for: mailbox, at: now))
        }
    }

    public func statistics(_ answer: @escaping StoreAnswer<StoreStatistics>) {
        submit { [weak self] (result: Result<StoreStatistics, StoreFailure>) in
            answer(
                result.map { statistics in
                    var statistics = statistics
                    let counts = self?.writer.counts ?? WriterThread.Counts()
                    (statistics.commits, statistics.operations) = (
                        counts.commits, counts.operations
                    )
                    return statistics
                })
        } _: { (file) throws(DatabaseError) in
            .success(try file.statistics())
        }
    }

    public func sweep(_ answer: @escaping StoreAnswer<Swept>) {
        let date = calendar.date(at: clock.now())
        submit(answer) { (file) throws(DatabaseError) in .success(try file.sweep(at: date)) }
    }

    public func close() async { await writer.end() }
}
