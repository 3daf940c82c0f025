/// Messages that order something of the companion apps, instead of a text for people. Documentation:
/// companion.home-assistant.io, "Notification commands".
extension NotificationPayload {
    /// Orders whose names do not begin with `command_`.
    private static let orders: Set<String> = [
        "clear_notification", "request_location_update", "request_location_updates",
        "remove_channel", "TTS", "clear_badge", "update_complications", "update_widgets",
        "delete_alert",
    ]

    /// Whether a message is an order, of a phone's or of ours.
    public static func isOrder(_ message: String) -> Bool {
        guard message.utf8.count <= 64 else { return false }
        return orders.contains(message)
            || (message.hasPrefix("command_") && !message.contains(" "))
    }

    /// Whether it orders something, instead of showing a text.
    public var isOrder: Bool { Self.isOrder(message) }

    /// The tag of the notification that it orders away; `nil` if it orders anything else.
    public var clearedTag: String? { message == "clear_notification" ? tag : nil }
}
