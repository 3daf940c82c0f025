internal import HomingBase

/// Shown notifications by the server's ids, and the meaning of the server's signals for them.
///
/// Servers differ: after `ActionInvoked` one sends no `NotificationClosed`, one three of them, and
/// the two may come in either order. So a notification that was put away is told of only when a
/// moment has passed without an answer, and one that was answered is forgotten.
///
/// A sticky one stays after an answer and takes more of them, until it is closed. There some servers
/// tell of one press three times, and some close it nevertheless, which no person did.
struct ShownNotifications {
    private struct Entry {
        var message: PushMessage
        var replyAction: Int?
        /// The uptime at which its being put away is told.
        var dismissedAt: Seconds?
        /// The newest answer to one that stays, and the uptime at which it was first told.
        var answer: (key: String, reply: String?, at: Seconds)?
    }

    /// Seconds in which an answer may still follow the closing, or the closing be an answer's.
    static let grace: Seconds = 0.5
    /// Seconds in which the same press may be told again.
    static let echo: Seconds = 0.3
    /// Number of notifications that are remembered, of `Bound.shownNotifications` together. A
    /// server that never says that a notification is closed must not fill memory.
    static let capacity = 256

    private var entries: [UInt32: Entry] = [:]
    /// Numbers in the order in which the notifications were shown.
    private var order: [UInt32] = []

    /// The id of the notification with this tag, if it is shown.
    func id(tag: String?) -> UInt32? {
        tag.flatMap { tag in id { $0.tag == tag } }
    }

    /// The id of the newest of these that is shown.
    func id(where condition: (PushMessage) -> Bool) -> UInt32? {
        order.last { id in
            guard let entry = entries[id], entry.dismissedAt == nil else { return false }
            return condition(entry.message)
        }
    }

    /// The server shows it under this id, in place of `replaced` if that is another.
    mutating func shown(
        _ message: PushMessage, as id: UInt32, replyAction: Int?, replaced: UInt32?
    ) -> [NotifierEvent] {
        var events: [NotifierEvent] = [.shown(message)]
        for old in Set([replaced, id].compactMap { $0 }) {
            if let entry = remove(old) { events.append(.gone(entry.message)) }
        }
        entries[id] = Entry(message: message, replyAction: replyAction)
        order.append(id)
        while order.count > Self.capacity || order.count > 1 && size > Bound.shownNotifications {
            _ = remove(order[0])
        }
        return events
    }

    /// Bytes of the texts of all.
    private var size: Int { entries.values.lazy.map(\.message).size }

    /// `ActionInvoked` or `NotificationReplied`.
    mutating func invoked(
        _ id: UInt32, _ key: String, reply: String?, at now: Moment
    ) -> [NotifierEvent] {
        guard let entry = entries[id], let event = Self.event(entry, key, reply) else { return [] }
        guard entry.message.isSticky else {
            _ = remove(id)
            return [event]
        }
        if let last = entry.answer, last.key == key, last.reply == reply,
            now.uptime - last.at < Self.echo
        {
            return []
        }
        entries[id]?.answer = (key, reply, now.uptime)
        // The server said before that it is closed: by this answer.
        guard entry.dismissedAt != nil else { return [event] }
        _ = remove(id)
        return [event, .gone(entry.message)]
    }

    /// Returns the event for an answer; `nil` if there is no answer, or no answer yet.
    private static func event(
        _ entry: Entry, _ key: String, _ reply: String?
    ) -> NotifierEvent? {
        let message = entry.message
        if key == NotificationRequest.clickKey { return .clicked(message) }
        let index = key == NotificationRequest.replyKey ? entry.replyAction : Int(key)
        guard let index, message.actions.indices.contains(index) else { return nil }
        // Some servers say that "inline-reply" was pressed before they have the text.
        if key == NotificationRequest.replyKey, reply == nil { return nil }
        return .chosen(button: index, reply: reply, message)
    }

    /// `NotificationClosed`, with its reason. Answers when `timer(at:)` is to be called, if at all.
    mutating func closed(
        _ id: UInt32, reason: UInt32, at now: Moment
    ) -> (events: [NotifierEvent], wake: Seconds?) {
        guard let entry = entries[id], entry.dismissedAt == nil else { return ([], nil) }
        let isByAnswer = entry.answer.map { now.uptime - $0.at < Self.grace } ?? false
        // 1 is expired, 2 put away, 3 closed by a call, 4 undefined.
        guard reason == 2, !isByAnswer else {
            _ = remove(id)
            return ([.gone(entry.message)], nil)
        }
        let at = now.uptime + Self.grace
        entries[id]?.dismissedAt = at
        return ([], at)
    }

    /// Tells of those that were put away and not answered.
    mutating func timer(at now: Moment) -> [NotifierEvent] {
        let due = order.filter { entries[$0]?.dismissedAt.map { $0 <= now.uptime } ?? false }
        return due.compactMap { remove($0).map { .dismissed($0.message) } }
    }

    /// The server has gone, and all it showed with it.
    mutating func serverGone() -> [NotifierEvent] {
        let all = order.compactMap { entries[$0]?.message }
        entries = [:]
        order = []
        return all.map { .gone($0) }
    }

    private mutating func remove(_ id: UInt32) -> Entry? {
        order.removeAll { $0 == id }
        return entries.removeValue(forKey: id)
    }
}
