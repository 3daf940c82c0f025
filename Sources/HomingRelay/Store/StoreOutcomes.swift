public import HomingRelayProtocol

/// The outcome of a deposit.
public enum Acceptance: Equatable, Sendable {
    /// The message is kept, and the disk has it.
    case stored(DayCount)
    /// An equal deposit was kept before, under that id.
    case repeated(MessageID, DayCount)
    /// The day's limit is reached. `isTold`: whether a notice of this limit was stored today.
    case limited(DayCount, isTold: Bool)
    /// The notice is outdated, and is not stored.
    case outdated
    /// The device has a newer token.
    case revoked
    /// The operator has blocked the mailbox.
    case blocked
    /// All mailboxes together are at that bound.
    case full(StoreBound)
}

/// A bound of all mailboxes together.
public enum StoreBound: Equatable, Sendable {
    case bytes
    case mailboxes
    /// Disk space: the space that is left is needed for deleting.
    case disk
}

/// A mailbox as its device meets it.
public enum MailboxView: Equatable, Sendable {
    case open(OpenMailbox)
    case blocked
}

/// A mailbox that its device may read.
public struct OpenMailbox: Equatable, Sendable {
    /// The newest token's.
    public var generation: UInt16
    /// Messages that wait.
    public var waiting: Int
    public var count: DayCount

    public init(generation: UInt16, waiting: Int, count: DayCount) {
        self.generation = generation
        self.waiting = waiting
        self.count = count
    }
}

/// The next messages of a mailbox.
public struct LoadedMessages: Equatable, Sendable {
    /// The oldest first.
    public var messages: [StoredMessage]
    /// Whether more wait that the limits left out.
    public var isMoreLeft: Bool
    /// Number of dropped messages that no notice reports yet.
    public var unreported: Int
    /// Number of dropped messages that the waiting notice reports.
    public var reported: Int

    public init(
        messages: [StoredMessage] = [], isMoreLeft: Bool = false, unreported: Int = 0,
        reported: Int = 0
    ) {
        self.messages = messages
        self.isMoreLeft = isMoreLeft
        self.unreported = unreported
        self.reported = reported
    }
}

/// The standing of a token.
public enum TokenCheck: Equatable, Sendable {
    case good(DayCount)
    case revoked
    case blocked
}

/// A mailbox as the operator sees it.
public struct MailboxSummary: Equatable, Sendable {
    public var mailbox: MailboxID
    public var generation: UInt16
    public var isBlocked: Bool
    /// Messages that wait, and their bytes.
    public var waiting: Int
    public var bytes: Int
    /// Messages that were dropped and that the device has not been told of yet.
    public var dropped: Int
    /// Time of the last storing or of the device's last visit: milliseconds since 1970.
    public var used: Int64

    public init(
        mailbox: MailboxID, generation: UInt16, isBlocked: Bool, waiting: Int, bytes: Int,
        dropped: Int, used: Int64
    ) {
        self.mailbox = mailbox
        self.generation = generation
        self.isBlocked = isBlocked
        self.waiting = waiting
        self.bytes = bytes
        self.dropped = dropped
        self.used = used
    }
}

/// The contents of a store, counted.
public struct StoreStatistics: Codable, Equatable, Sendable {
    public var mailboxes: Int
    /// Messages that wait.
    public var messages: Int
    /// Bytes of the store that are in use.
    public var bytes: Int
    /// Invitations that are open.
    public var invitations: Int
    /// Since the start: transactions that the disk has taken, and operations in them.
    public var commits = 0
    public var operations = 0
    /// The engine, where the store is no file.
    public var engine: EngineReport?

    public init(mailboxes: Int, messages: Int, bytes: Int, invitations: Int) {
        self.mailboxes = mailboxes
        self.messages = messages
        self.bytes = bytes
        self.invitations = invitations
    }
}

/// An engine that holds the mailboxes.
public struct EngineReport: Codable, Equatable, Sendable {
    /// Valkey or Redis, with its version, at the start.
    public var version: String
    /// Addresses of the primaries.
    public var nodes: [String]
    /// Milliseconds that the engine took to count everything.
    public var milliseconds: Int
}

/// The work of a piece of sweeping.
public struct Swept: Equatable, Sendable {
    /// Messages that have expired, and mailboxes that were forgotten.
    public var messages = 0
    public var mailboxes = 0
    /// Whether another piece of sweeping is needed.
    public var isMoreLeft = false

    public init() {}
}
