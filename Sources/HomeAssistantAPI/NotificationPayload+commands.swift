/// Commands for the companion apps, sent as a message. Documentation:
/// companion.home-assistant.io, "Notification commands".
extension NotificationPayload {
    /// Commands whose names do not begin with `command_`.
    private static let commands: Set<String> = [
        "clear_notification", "request_location_update", "request_location_updates",
        "remove_channel", "TTS", "clear_badge", "update_complications", "update_widgets",
        "delete_alert",
    ]

    /// Whether a message is a command, of a phone's or of Homing's.
    public static func isCommand(_ message: String) -> Bool {
        guard message.utf8.count <= 64 else { return false }
        return commands.contains(message)
            || (message.hasPrefix("command_") && !message.contains(" "))
    }

    /// Whether the message is a command, and not a text for a person.
    public var isCommand: Bool { Self.isCommand(message) }

    /// The tag of the notification to clear; `nil` for another message.
    public var clearedTag: String? { message == "clear_notification" ? tag : nil }
}
