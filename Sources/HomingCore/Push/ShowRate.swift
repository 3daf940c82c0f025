/// Bounds how many notifications are shown: five in any second; the rest is counted, and folded
/// into one that says how many there were.
public struct ShowRate: Sendable {
    /// What becomes of a notification, or of those that were folded.
    public enum Effect: Equatable, Sendable {
        case show(PushMessage)
        /// Call `timer(at:)` at this uptime.
        case wake(at: Seconds)
        /// Show, in place of the one before, that there were so many more. The titles are those of
        /// the last few.
        case summarize(count: Int, titles: [String])
    }

    static let perSecond = 5
    static let titleLimit = 5

    /// Uptimes of those shown within the last second, the oldest first.
    private var recent: [Seconds] = []
    /// In this flood.
    private var folded = 0
    /// Of these, in the last summary.
    private var told = 0
    private var titles: [String] = []
    private var summaryAt: Seconds?

    /// How many were folded, ever.
    public private(set) var total = 0

    public init() {}

    /// A notification is there to be shown.
    public mutating func offer(_ message: PushMessage, at now: Moment) -> [Effect] {
        if admitsOne(at: now) { return [.show(message)] }
        folded += 1
        total += 1
        titles.append(message.title ?? message.message)
        if titles.count > Self.titleLimit { titles.removeFirst() }
        if summaryAt != nil { return [] }
        let at = now.uptime + 1
        summaryAt = at
        return [.wake(at: at)]
    }

    /// Whether one more may be shown now; it counts as shown.
    public mutating func admitsOne(at now: Moment) -> Bool {
        recent.removeAll { now.uptime - $0 >= 1 || $0 > now.uptime }
        guard recent.count < Self.perSecond else { return false }
        recent.append(now.uptime)
        return true
    }

    /// The time of a `wake` has come, or passed. While the flood lasts the count grows, and is told
    /// once a second; a second without any ends it.
    public mutating func timer(at now: Moment) -> [Effect] {
        guard let at = summaryAt else { return [] }
        if now.uptime < at { return [.wake(at: at)] }
        guard folded > told else {
            self = ShowRate(recent: recent, total: total)
            return []
        }
        told = folded
        let next = now.uptime + 1
        summaryAt = next
        return [.summarize(count: folded, titles: titles), .wake(at: next)]
    }

    private init(recent: [Seconds], total: Int) {
        self.recent = recent
        self.total = total
    }
}
