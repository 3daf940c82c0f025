internal import HomingBase
internal import HomingRelayProtocol

/// Decides when a front forwards from which mailbox. A mailbox has a single message on the way, so
/// messages arrive in their order, but for commands, which pass notifications that a limit holds.
///
/// Times are uptimes. A far relay that is away is asked by a single mailbox, with growing waits.
struct ForwardSchedule {
    /// The end of a mailbox's turn.
    enum Ending: Equatable, Sendable {
        /// The far relay has the message.
        case taken
        /// Mailbox in which nothing waits, or of which nothing may go now.
        case empty
        /// The device has not told the far relay's token yet.
        case noToken
        /// The far relay does not take the token.
        case refused
        /// The far relay's limit for messages of that kind is reached.
        case limited(PushRequest.Kind)
        /// The far relay asks to wait for so many seconds.
        case tooFast(Seconds)
        /// The far relay cannot be reached, or fails. Seconds that it asks for.
        case away(Seconds?)
        /// The front's own store failed.
        case storeFailed
    }

    /// A mailbox's turn, which `end` ends.
    struct Turn: Equatable, Sendable {
        let mailbox: MailboxID
        /// Whether notifications, which count, are passed over.
        let isFreeOnly: Bool
    }

    /// Mailboxes that have their turn at a time.
    static let turns = 4
    /// Seconds that a refused or limited mailbox waits; a new far token ends the wait.
    static let hold: Seconds = 3600
    /// Seconds that the front waits after a failure of its own store.
    static let storePause: Seconds = 5
    /// Longest wait for a far relay that is away.
    static let longestPause: Seconds = 300
    /// Longest wait after `.tooFast`.
    private static let longestBreak: Seconds = 60

    /// Mailboxes in the order of their turns.
    private var queue: [MailboxID] = []
    private var queued: Set<MailboxID> = []
    private var busy: Set<MailboxID> = []
    /// Mailboxes with a new message since their turn began.
    private var renewed: Set<MailboxID> = []
    /// Mailboxes whose device has told a token since their turn began.
    private var retold: Set<MailboxID> = []
    /// The time before which nothing of a mailbox goes, or no notification.
    private var held: [MailboxID: Seconds] = [:]
    private var heldNotifications: [MailboxID: Seconds] = [:]
    private var pacer: Pacer
    private var pausedUntil: Seconds = 0
    private let limit: Int
    /// Mailboxes whose token the far relay has refused, until the device tells a token.
    private(set) var refused: Set<MailboxID> = []
    /// Since when the far relay is away: uptime.
    private(set) var awaySince: Seconds?

    /// - Parameters:
    ///   - limit: mailboxes that are remembered; a look finds the rest later.
    ///   - seed: for the waits.
    init(limit: Int, seed: UInt64) {
        self.limit = limit
        pacer = Pacer(.outage(longest: Self.longestPause), seed: seed)
    }

    /// Mailboxes that are held.
    var heldCount: Int { Set(held.keys).union(heldNotifications.keys).count }

    /// Something waits in a mailbox.
    mutating func add(_ mailbox: MailboxID) {
        if busy.contains(mailbox) {
            renewed.insert(mailbox)
        } else if held[mailbox] == nil {
            enqueue(mailbox)
        }
    }

    /// The device has told a far token.
    mutating func tokenTold(_ mailbox: MailboxID) {
        held[mailbox] = nil
        heldNotifications[mailbox] = nil
        refused.remove(mailbox)
        if busy.contains(mailbox) { retold.insert(mailbox) }
        add(mailbox)
    }

    private mutating func enqueue(_ mailbox: MailboxID) {
        guard queued.count < limit, queued.insert(mailbox).inserted else { return }
        queue.append(mailbox)
    }

    /// The turns that begin now.
    mutating func begin(at now: Seconds) -> [Turn] {
        release(at: now)
        var turns: [Turn] = []
        let room = awaySince == nil ? Self.turns : 1
        while now >= pausedUntil, busy.count < room, !queue.isEmpty {
            let mailbox = queue.removeFirst()
            queued.remove(mailbox)
            busy.insert(mailbox)
            turns.append(Turn(mailbox: mailbox, isFreeOnly: heldNotifications[mailbox] != nil))
        }
        return turns
    }

    private mutating func release(at now: Seconds) {
        for (mailbox, time) in held where time <= now {
            held[mailbox] = nil
            enqueue(mailbox)
        }
        for (mailbox, time) in heldNotifications where time <= now {
            heldNotifications[mailbox] = nil
            add(mailbox)
        }
    }

    /// A turn is over.
    mutating func end(_ turn: Turn, _ ending: Ending, at now: Moment) {
        let (mailbox, uptime) = (turn.mailbox, now.uptime)
        busy.remove(mailbox)
        let isRenewed = renewed.remove(mailbox) != nil
        let isRetold = retold.remove(mailbox) != nil
        switch ending {
        case .taken, .refused, .limited, .tooFast: noteAnswer()
        // The far relay was not asked, or did not answer.
        case .empty, .noToken, .away, .storeFailed: break
        }
        switch ending {
        case .noToken where isRetold, .refused where isRetold, .limited where isRetold:
            // The far relay spoke of the former token.
            enqueue(mailbox)
        case .taken:
            refused.remove(mailbox)
            enqueue(mailbox)
        case .empty: if isRenewed { enqueue(mailbox) }
        case .noToken: hold(mailbox, until: uptime + Self.hold)
        case .refused:
            if refused.count < limit { refused.insert(mailbox) }
            hold(mailbox, until: uptime + Self.hold)
        case .limited(.free): hold(mailbox, until: uptime + Self.hold)
        case .limited(.notification):
            // Without room a look finds the mailbox again.
            guard heldNotifications.count < limit else { break }
            heldNotifications[mailbox] = uptime + Self.hold
            enqueue(mailbox)
        case .tooFast(let seconds):
            hold(mailbox, until: uptime + min(max(1, seconds), Self.longestBreak))
        case .away(let asked):
            awaySince = awaySince ?? uptime
            let wait = max(pacer.failed(at: now), asked ?? 0)
            pausedUntil = uptime + min(wait, Self.longestPause)
            enqueue(mailbox)
        case .storeFailed:
            pausedUntil = max(pausedUntil, uptime + Self.storePause)
            enqueue(mailbox)
        }
    }

    private mutating func hold(_ mailbox: MailboxID, until time: Seconds) {
        if held.count < limit { held[mailbox] = time }
    }

    private mutating func noteAnswer() {
        awaySince = nil
        pacer.succeeded()
    }

    /// Uptime at which `begin` may give turns again; `nil` while that depends on events alone.
    var nextWake: Seconds? {
        let pause = queue.isEmpty || !busy.isEmpty ? nil : pausedUntil
        return ([pause] + [held.values.min(), heldNotifications.values.min()])
            .compactMap { $0 }.min()
    }
}
