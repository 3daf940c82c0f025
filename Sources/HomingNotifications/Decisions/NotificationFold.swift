internal import HomingBase

/// Those that were folded in one flood, and when their summary is shown.
struct NotificationFold: Sendable {
    static let lineLimit = 5
    /// Bytes of a line.
    static let lineSize = 160
    /// Entries that can be cleared by their tags; of more, the oldest only count.
    static let entryLimit = 256

    private var entries: [(tag: String?, line: String, isUrgent: Bool)] = []
    private var older = 0
    private var hasOlderUrgent = false
    private var isShown = false
    /// Whether something changed since the summary was shown.
    private var isStale = false
    /// The uptime at which to call `timer(at:)`; `nil` while there is no flood.
    private(set) var tellAt: Seconds?

    /// Adds a notification. The first notification of a flood begins a new summary.
    mutating func add(_ message: PushMessage, at uptime: Seconds) {
        if tellAt == nil { self = NotificationFold() }
        entries.append((message.tag, Self.line(message), message.isUrgent))
        if entries.count > Self.entryLimit {
            let oldest = entries.removeFirst()
            older += 1
            hasOlderUrgent = hasOlderUrgent || oldest.isUrgent
        }
        isStale = true
        tellAt = tellAt ?? uptime + 1
    }

    /// Removes the notifications with this tag, which were cleared or are shown again.
    mutating func remove(tag: String, at uptime: Seconds) {
        let count = entries.count
        entries.removeAll { $0.tag == tag }
        guard entries.count < count else { return }
        isStale = true
        tellAt = tellAt ?? uptime + 1
    }

    /// Tells what changed, once a second.
    mutating func timer(at uptime: Seconds) -> [ShowRate.Effect] {
        guard let tellAt, tellAt <= uptime else { return [] }
        guard isStale else {
            self.tellAt = nil
            return []
        }
        isStale = false
        self.tellAt = uptime + 1
        let count = older + entries.count
        if count > 0 {
            isShown = true
            return [.summarize(summary(count))]
        }
        defer { isShown = false }
        return isShown ? [.withdraw] : []
    }

    private func summary(_ count: Int) -> ShowRate.Summary {
        ShowRate.Summary(
            count: count, lines: entries.suffix(Self.lineLimit).map(\.line),
            isCritical: hasOlderUrgent || entries.contains(where: \.isUrgent))
    }

    private static func line(_ message: PushMessage) -> String {
        let text = message.heading.map { "\($0): \(message.message)" } ?? message.message
        return PushText.clean(text, limit: lineSize)
    }
}
