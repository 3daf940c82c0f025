public import HomingRelayProtocol
public import HomingRuntime

/// Takes the outcome of an operation of a store, on the loop.
public typealias StoreAnswer<Value> = @LoopActor (Result<Value, StoreFailure>) -> Void

/// The mailboxes of a relay. Each operation happens whole or not at all. What was stored,
/// revoked, blocked or spent is on the disk before its answer. Operations of one caller happen in their
/// order.
///
/// Times are milliseconds since 1970 by the store's clock. Days are days of UTC by the same clock.
@LoopActor public protocol MailboxStore: AnyObject {
    /// A time later than that of each id of earlier runs: milliseconds since 1970. New ids need
    /// later times.
    nonisolated var firstTime: Int64 { get }

    /// Has the events told from now on, those of all instances that share the store.
    func listen(_ told: @escaping @LoopActor (StoreEvent) -> Void)

    /// Tells of a mailbox from now on, as its device is here; or no longer.
    func follow(_ mailbox: MailboxID)
    func unfollow(_ mailbox: MailboxID)

    /// Keeps a message, if the token's generation, the day's count and the bounds allow it.
    ///
    /// One transaction checks generation, repetition and the day's limit, deletes a message of the
    /// same tag, deletes the oldest messages beyond the mailbox's bounds, and appends the message.
    func accept(_ deposit: Deposit, _ answer: @escaping StoreAnswer<Acceptance>)

    /// Checks a token, and counts nothing.
    func check(
        _ mailbox: MailboxID, generation: UInt16, _ answer: @escaping StoreAnswer<TokenCheck>)

    /// Opens a mailbox for its device.
    ///
    /// - Parameters:
    ///   - generation: that of the device's token. The store's becomes at least that.
    ///   - isProven: whether the device has proved its key. Then a mailbox of which nothing is known
    ///     is made, where there is room for another.
    func open(
        _ mailbox: MailboxID, generation: UInt16, isProven: Bool,
        _ answer: @escaping StoreAnswer<MailboxView>)

    /// Loads the oldest messages that wait.
    ///
    /// - Parameters:
    ///   - known: messages that the caller has already.
    ///   - limit: how many at the most.
    ///   - bytes: limit of parcel bytes, which the last message may exceed.
    func load(
        _ mailbox: MailboxID, except known: Set<MessageID>, limit: Int, bytes: Int,
        _ answer: @escaping StoreAnswer<LoadedMessages>)

    /// Deletes what the device has taken over, `RelayFrame.window` at the most; unknown ids do not
    /// matter. Answers how many there were.
    func acknowledge(
        _ mailbox: MailboxID, _ ids: [MessageID], _ answer: @escaping StoreAnswer<Int>)

    /// Answers the mailboxes among these in which messages wait.
    func waiting(
        among mailboxes: [MailboxID], _ answer: @escaping StoreAnswer<[MailboxID]>)

    /// Revokes all tokens of that generation and of earlier generations. Answers the next
    /// generation.
    func raiseGeneration(
        _ mailbox: MailboxID, above generation: UInt16, _ answer: @escaping StoreAnswer<UInt16>)

    /// Blocks or unblocks a mailbox. Blocking also revokes its tokens. Answers whether the store
    /// has the mailbox.
    func setBlocked(
        _ mailbox: MailboxID, _ isBlocked: Bool, _ answer: @escaping StoreAnswer<Bool>)

    /// Deletes the messages and counts of a mailbox. The store remembers that the mailbox is
    /// blocked, and which tokens are revoked. Answers whether the store has the mailbox.
    func forget(_ mailbox: MailboxID, _ answer: @escaping StoreAnswer<Bool>)

    /// Mailboxes in the order of their ids, after `last`, `limit` at the most.
    func mailboxes(
        after last: MailboxID?, limit: Int, _ answer: @escaping StoreAnswer<[MailboxSummary]>)

    /// Keeps the hash of an invitation's code.
    ///
    /// - Parameter uses: how many devices may join with it.
    func addInvitation(
        _ hash: [UInt8], expires: Int64, uses: Int, _ answer: @escaping StoreAnswer<Void>)

    /// Takes one use of an invitation. The last user may repeat the call without another use, as
    /// the answer may have been lost. Answers whether the code is valid.
    func spend(
        _ hash: [UInt8], for mailbox: MailboxID, _ answer: @escaping StoreAnswer<Bool>)

    /// Counts everything.
    func statistics(_ answer: @escaping StoreAnswer<StoreStatistics>)

    /// Deletes some of everything outdated: expired messages, old counts, unused mailboxes,
    /// invitations.
    func sweep(_ answer: @escaping StoreAnswer<Swept>)

    /// Finishes the waiting work, and closes the store.
    func close() async
}
