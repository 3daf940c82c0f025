internal import HomingBase
internal import HomingBus

/// Abilities of notification servers: `GetCapabilities` of the Desktop Notifications Specification.
struct ServerCapabilities: Equatable {
    let names: Set<String>

    var hasBody: Bool { names.contains("body") }
    var readsMarkup: Bool { names.contains("body-markup") }
    var hasActions: Bool { names.contains("actions") }
    var hasSound: Bool { names.contains("sound") }
    /// Plasma's and swaync's own.
    var asksForText: Bool { names.contains("inline-reply") }
}

/// The arguments of `Notify` for one notification on one server.
struct NotificationRequest: Equatable {
    /// Key that a click on the notification itself invokes.
    static let clickKey = "default"
    /// Key that the entry of a text invokes.
    static let replyKey = "inline-reply"

    /// Name that people see as the sender.
    static let application = "Home Assistant"

    let summary: String
    let body: String
    /// Keys and labels in turn.
    let actions: [String]
    let hints: [String: BusArgument]
    /// Milliseconds; 0 is forever, -1 as the server likes.
    let timeout: Int32
    /// The index of the action whose text the server asks for.
    let replyAction: Int?

    /// - Parameter isReplacement: it takes the place of one that is shown.
    init(
        _ message: PushMessage, image: String?, isReplacement: Bool,
        _ capabilities: ServerCapabilities
    ) {
        let title = message.heading ?? Self.application
        let text = [message.subtitle, message.message].compactMap { $0 }
            .filter { !$0.isEmpty }.joined(separator: "\n")
        if capabilities.hasBody {
            summary = title
            body = capabilities.readsMarkup ? Self.escaped(text) : text
        } else {
            summary = text.isEmpty ? title : "\(title): \(text)"
            body = ""
        }
        let asks = capabilities.hasActions && capabilities.asksForText
        replyAction = asks ? message.actions.firstIndex { $0.text != nil } : nil
        actions = capabilities.hasActions ? Self.actions(message, replyAction: replyAction) : []
        hints = Self.hints(message, image, isReplacement, replyAction, capabilities)
        timeout = Self.timeout(message)
    }

    /// Its own keys, as those of the network may be words with a meaning to the server.
    private static func actions(_ message: PushMessage, replyAction: Int?) -> [String] {
        let click = message.opens == nil ? [] : [clickKey, ""]
        return click
            + message.actions.enumerated().flatMap { index, action in
                let label = action.destructive ? "⚠ \(action.title)" : action.title
                return [index == replyAction ? replyKey : "\(index)", label]
            }
    }

    private static func hints(
        _ message: PushMessage, _ image: String?, _ isReplacement: Bool, _ replyAction: Int?,
        _ capabilities: ServerCapabilities
    ) -> [String: BusArgument] {
        var hints: [String: BusArgument] = [
            "urgency": .byte(UInt8(message.urgency.rawValue)),
            "desktop-entry": .string("homing"),
        ]
        if let image { hints["image-path"] = .string(image) }
        // Servers that do not know it close a notification with its first answer.
        if message.isSticky { hints["resident"] = .boolean(true) }
        if case .percent(let percent)? = message.progress {
            hints["value"] = .int32(Int32(percent))
        }
        if message.sound == .silent || (message.isAlertedOnce && isReplacement) {
            hints["suppress-sound"] = .boolean(true)
        } else if capabilities.hasSound {
            hints["sound-name"] = .string("message-new-instant")
        }
        if let entry = replyAction.flatMap({ message.actions[$0].text }) {
            hints["x-kde-reply-placeholder-text"] = entry.placeholder.map { .string($0) }
            hints["x-kde-reply-submit-button-text"] = entry.button.map { .string($0) }
        }
        return hints
    }

    private static func timeout(_ message: PushMessage) -> Int32 {
        if message.isPersistent { return 0 }
        return message.timeout.map { Int32(($0 * 1000).rounded(.up)) } ?? -1
    }

    /// Escapes a text for servers that read markup: nothing of it is ours, so all of it is
    /// text.
    private static func escaped(_ text: String) -> String {
        text.replacingEach("&", with: "&amp;").replacingEach("<", with: "&lt;")
            .replacingEach(">", with: "&gt;")
    }
}
