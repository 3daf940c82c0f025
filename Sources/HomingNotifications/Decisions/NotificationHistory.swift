public import HomingBase

/// The newest notifications, for people who look them up until the daemon ends: in memory alone, as each may
/// hold what is private.
public struct NotificationHistory: Sendable {
    /// Destination of a notification.
    public enum Outcome: Equatable, Sendable {
        case desktop
        case journal
        /// Place in a summary, as there were too many notifications at once.
        case folded
    }

    public struct Entry: Equatable, Sendable {
        /// Seconds since 1970.
        public let time: Seconds
        /// The id of the home that sent the notification; `nil` if no home did.
        public let homeID: String?
        public let author: PushMessage.Sender
        public let title: String?
        public let text: String
        public let outcome: Outcome
        /// The titles of the buttons.
        public let buttons: [String]
        /// The title of the button that a person pressed last.
        public fileprivate(set) var answer: String?
        fileprivate let tag: String?
    }

    static let limit = 50
    /// Entries of people at this machine: they push out no notification of Home Assistant.
    static let limitOfPersons = 10
    /// Bytes of a text that are kept.
    static let longestText = 1024

    /// The oldest first.
    public private(set) var entries: [Entry] = []

    public init() {}

    /// A notification was shown, or folded into a summary. The notification takes the place of an earlier one
    /// with its tag, as on the desktop.
    ///
    /// - Parameter time: seconds since 1970.
    public mutating func add(_ message: PushMessage, _ outcome: Outcome, at time: Seconds) {
        if message.tag != nil { entries.removeAll { $0.isInPlace(of: message) } }
        entries.append(
            Entry(
                time: time, homeID: message.homeID, author: message.author, title: message.title,
                text: Self.text(of: message), outcome: outcome,
                buttons: message.actions.map(\.title), tag: message.tag))
        let ofPersons = entries.indices.filter { entries[$0].author == .person }
        if ofPersons.count > Self.limitOfPersons { entries.remove(at: ofPersons[0]) }
        if entries.count > Self.limit { entries.removeFirst() }
    }

    /// A person pressed a button of a notification.
    public mutating func note(button: Int, of message: PushMessage) {
        guard message.actions.indices.contains(button),
            let index = entries.lastIndex(where: { $0.isOf(message) })
        else { return }
        entries[index].answer = message.actions[button].title
    }

    fileprivate static func text(of message: PushMessage) -> String {
        let parts = [message.subtitle, message.message].compactMap(\.self).filter { !$0.isEmpty }
        return PushText.clean(parts.joined(separator: "\n"), limit: longestText, .paragraphs)
    }
}

extension NotificationHistory.Entry {
    fileprivate func isInPlace(of message: PushMessage) -> Bool {
        homeID == message.homeID && author == message.author && tag == message.tag
    }

    fileprivate func isOf(_ message: PushMessage) -> Bool {
        isInPlace(of: message)
            && (tag != nil
                || title == message.title && text == NotificationHistory.text(of: message))
    }
}
