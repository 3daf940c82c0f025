internal import HomingJSON
internal import HomingNotifications

/// A notification as the hook gets it: one JSON object on its standard input.
struct HookInput {
    private let message: PushMessage

    init(_ message: PushMessage) { self.message = message }

    /// One line. `home` is the home that it is from; `urgency` is `low`, `normal` or `critical`.
    func json() -> [UInt8] {
        let fields: [String: String?] = [
            "message": message.message, "title": message.title, "subtitle": message.subtitle,
            "tag": message.sentTag, "home": message.home, "group": message.group,
            "urgency": "\(message.urgency)",
        ]
        let known = fields.compactMapValues { $0.map { JSONValue.string($0) } }
        return Array(JSONValue.object(known).json().utf8) + [0x0A]
    }
}
