public import HomingRuntime

/// Tells notifications to the journal, where there is no desktop, or in addition to one.
///
/// Each is one entry with a message id, so that `journalctl MESSAGE_ID=…` finds them and other
/// programs can follow them; its parts are fields.
@LoopActor public final class JournalNotifier: Notifier {
    /// Message id of every notification in the journal (made by `journalctl --new-id128`).
    public nonisolated static let messageID = "1150c3db6b7b4957883b438b2ff79618"

    private let deliver: @LoopActor (NotifierEvent) -> Void

    public init(deliver: @escaping @LoopActor (NotifierEvent) -> Void) { self.deliver = deliver }

    public func show(_ message: PushMessage, image: String?) {
        Log.write(
            Self.level(message.urgency), Self.line(message), messageID: Self.messageID,
            Self.fields(message))
        deliver(.shown(message))
    }

    /// Does nothing: what the journal has stays in the journal.
    public func clear(tag: String) {}

    nonisolated static func level(_ urgency: PushMessage.Urgency) -> LogLevel {
        switch urgency {
        case .low: .info
        case .normal: .notice
        case .critical: .warning
        }
    }

    /// Returns one line, whatever the notification holds.
    nonisolated static func line(_ message: PushMessage) -> String {
        let text = message.parts.joined(separator: ": ")
        return "notification: " + text.split(separator: "\n").joined(separator: " / ")
    }

    nonisolated static func fields(_ message: PushMessage) -> [(name: String, value: String)] {
        let fields: [(String, String?)] = [
            ("NOTIFICATION_TITLE", message.title), ("NOTIFICATION_HOME", message.home),
            ("NOTIFICATION_MESSAGE", message.message),
            ("NOTIFICATION_TAG", message.sentTag), ("NOTIFICATION_GROUP", message.group),
            ("NOTIFICATION_CHANNEL", message.channel),
            ("NOTIFICATION_URGENCY", String(describing: message.urgency)),
            ("NOTIFICATION_AGE", message.age.map { "\(Int($0))" }),
        ]
        return fields.compactMap { name, value in value.map { (name, $0) } }
    }
}
