public import HomingBase

/// Bounds how many notifications are shown: five in any second, the rest is folded into one that
/// says how many there were and what they said.
///
/// Some must not be folded. Critical ones and those with buttons are shown beyond that, up to twenty
/// in any second. One with a tag has a place of its own, which a later one takes, and loses nothing by
/// a moment's wait. Beyond their bounds these wait for their turn; of one tag only the newest waits. At
/// most `waitingLimit` wait, of `Bound.waitingNotifications` together: more are folded after all, and
/// the summary is critical where critical ones or buttons are among them.
public struct ShowRate: Sendable {
    /// Outcome for a notification, or for the notifications that were folded.
    public enum Effect: Equatable, Sendable {
        case show(PushMessage)
        /// Notification that is in the summary.
        case folded(PushMessage)
        /// Notification that was replaced or cleared while waiting, and so is not shown.
        case dropped(PushMessage)
        /// Call `timer(at:)` at this uptime.
        case wake(at: Seconds)
        /// Show this, in place of the summary before.
        case summarize(Summary)
        /// Take the summary away: what it told of was cleared.
        case withdraw
    }

    /// Summary that stands in place of the folded notifications.
    public struct Summary: Equatable, Sendable {
        public var count: Int
        /// Texts of the last few notifications, a line each.
        public var lines: [String]
        /// Whether there are critical ones, or some with buttons, among them.
        public var isCritical: Bool
    }

    static let perSecond = 5
    static let urgentPerSecond = 20
    static let waitingLimit = 64
    /// Uptimes of those shown within the last second, the oldest first.
    private var recent: [Seconds] = []
    private var waiting: [PushMessage] = []
    private var fold = NotificationFold()
    private var wakeAt: Seconds?

    /// Number of notifications that were ever folded.
    public private(set) var total = 0

    public init() {}

    /// A notification is there to be shown.
    public mutating func offer(_ message: PushMessage, at now: Moment) -> [Effect] {
        if let tag = message.tag {
            fold.remove(tag: tag, at: now.uptime)
            if let index = waiting.firstIndex(where: { $0.tag == tag }) {
                let old = waiting.remove(at: index)
                guard hasRoom(for: message) else {
                    return [.dropped(old)] + folded(message, at: now)
                }
                waiting.insert(message, at: index)
                return [.dropped(old)] + wake(at: now)
            }
        }
        if admits(message, at: now) { return [show(message, at: now)] + wake(at: now) }
        if mayWait(message) {
            waiting.append(message)
            return wake(at: now)
        }
        return folded(message, at: now)
    }

    private mutating func folded(_ message: PushMessage, at now: Moment) -> [Effect] {
        total += 1
        fold.add(message, at: now.uptime)
        return [.folded(message)] + wake(at: now)
    }

    /// Removes the notifications with this tag, which are not to be shown any more.
    public mutating func clear(tag: String, at now: Moment) -> [Effect] {
        fold.remove(tag: tag, at: now.uptime)
        let dropped = waiting.filter { $0.tag == tag }
        waiting.removeAll { $0.tag == tag }
        return dropped.map { .dropped($0) } + wake(at: now)
    }

    /// Those that wait; they do so no longer.
    public mutating func takeWaiting() -> [PushMessage] {
        defer { waiting = [] }
        return waiting
    }

    /// Whether one more may be shown now; it counts as shown.
    public mutating func admitsOne(at now: Moment) -> Bool {
        guard hasRoom(for: Self.perSecond, at: now) else { return false }
        recent.append(now.uptime)
        return true
    }

    /// The time of a `wake` has come, or passed. While the flood lasts the count grows, and is told
    /// once a second; a second without any ends it.
    public mutating func timer(at now: Moment) -> [Effect] {
        if let at = wakeAt, now.uptime < at { return [.wake(at: at)] }
        wakeAt = nil
        var effects: [Effect] = []
        while let index = waiting.firstIndex(where: { admits($0, at: now) }) {
            effects.append(show(waiting.remove(at: index), at: now))
        }
        return effects + fold.timer(at: now.uptime) + wake(at: now)
    }

    // MARK: Bounds

    private mutating func show(_ message: PushMessage, at now: Moment) -> Effect {
        recent.append(now.uptime)
        return .show(message)
    }

    private mutating func admits(_ message: PushMessage, at now: Moment) -> Bool {
        hasRoom(for: message.isUrgent ? Self.urgentPerSecond : Self.perSecond, at: now)
    }

    private mutating func hasRoom(for limit: Int, at now: Moment) -> Bool {
        recent.removeAll { now.uptime >= $0 + 1 || $0 > now.uptime }
        return recent.count < limit
    }

    private func mayWait(_ message: PushMessage) -> Bool {
        (message.isUrgent || message.tag != nil) && hasRoom(for: message)
    }

    private func hasRoom(for message: PushMessage) -> Bool {
        waiting.count < Self.waitingLimit
            && waiting.size + message.size <= Bound.waitingNotifications
    }

    /// Asks for the next call, unless it has been asked for.
    private mutating func wake(at now: Moment) -> [Effect] {
        let turn = waiting.isEmpty ? nil : recent.first.map { $0 + 1 } ?? now.uptime
        guard let next = [turn, fold.tellAt].compactMap({ $0 }).min() else { return [] }
        if let wakeAt, wakeAt <= next { return [] }
        wakeAt = next
        return [.wake(at: next)]
    }
}

extension PushMessage {
    /// Whether it must be seen by itself: it is critical, or can be answered.
    var isUrgent: Bool { urgency == .critical || !actions.isEmpty }
}
