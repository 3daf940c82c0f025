internal import HomingJSON
internal import HomingNotifications

/// A notification as the hook gets it: one JSON object on its standard input.
struct HookInput: Encodable {
    let message: String
    let title: String?
    let subtitle: String?
    let tag: String?
    /// The home that it is from.
    let home: String?
    let group: String?
    /// `low`, `normal` or `critical`.
    let urgency: String

    init(_ message: PushMessage) {
        self.message = message.message
        home = message.home
        title = message.title
        subtitle = message.subtitle
        tag = message.sentTag
        group = message.group
        urgency = "\(message.urgency)"
    }

    func json() -> [UInt8] {
        // Text alone: nothing in it can fail to be encoded.
        (try? JSON.bytes(self)).map { $0 + [0x0A] } ?? []
    }
}
