internal import HomingJSON

/// An event that tells Home Assistant what became of a notification, as the companion apps fire it.
///
/// It carries the notification's own data, message and title, and what is said of the answer. Names
/// of ours win over those of the data.
public struct NotificationEvent: Equatable, Sendable {
    /// The event's name on Home Assistant's bus.
    public let type: String
    /// A JSON object.
    public let data: String

    /// The notification that is spoken of.
    public struct Subject: Equatable, Sendable {
        public var message: String
        public var title: String?
        public var tag: String?
        /// `data` as a JSON object.
        public var data: String

        public init(message: String, title: String?, tag: String?, data: String) {
            self.message = message
            self.title = title
            self.tag = tag
            self.data = data
        }
    }

    /// Stamp by which an event can be told again.
    public struct Stamp: Equatable, Sendable {
        /// The registration's `device_id`.
        public var deviceID: String
        /// The same whenever the event is told again.
        public var homingID: String
        /// Seconds since 1970.
        public var firedAt: Double

        public init(deviceID: String, homingID: String, firedAt: Double) {
            self.deviceID = deviceID
            self.homingID = homingID
            self.firedAt = firedAt
        }
    }

    /// The event that tells which action was chosen.
    public static let actionType = "mobile_app_notification_action"

    /// `mobile_app_notification_action`: an action was chosen.
    ///
    /// - Parameter reply: the text that was entered.
    public static func action(
        _ id: String, reply: String?, on subject: Subject, _ stamp: Stamp
    ) -> NotificationEvent {
        var added: [String: JSONValue] = ["action": .string(id)]
        if let reply { added["reply_text"] = .string(reply) }
        return NotificationEvent(actionType, subject, stamp, added)
    }

    /// `mobile_app_notification_cleared`: it was closed without an answer.
    public static func cleared(_ subject: Subject, _ stamp: Stamp) -> NotificationEvent {
        NotificationEvent("mobile_app_notification_cleared", subject, stamp, [:])
    }

    /// `mobile_app_notification_received`: it was shown, and had `confirmation: true`.
    public static func received(_ subject: Subject, _ stamp: Stamp) -> NotificationEvent {
        NotificationEvent("mobile_app_notification_received", subject, stamp, [:])
    }

    private init(
        _ type: String, _ subject: Subject, _ stamp: Stamp, _ added: [String: JSONValue]
    ) {
        var data = JSONValue(json: subject.data.utf8)?.members ?? [:]
        // iOS takes it from below `push` as well.
        if data["action_data"] == nil { data["action_data"] = data["push"]?["action_data"] }
        data["message"] = .string(subject.message)
        data["title"] = subject.title.map { .string($0) }
        if let tag = subject.tag { data["tag"] = .string(tag) }
        data["device_id"] = .string(stamp.deviceID)
        data.merge(added) { _, added in added }
        self.init(type, data, stamp)
    }

    init(_ type: String, _ content: [String: JSONValue], _ stamp: Stamp) {
        var data = content
        data["homing_id"] = .string(stamp.homingID)
        data["homing_fired_at"] = .number((stamp.firedAt * 1000).rounded() / 1000)
        self.type = type
        self.data = JSONValue.object(data).json()
    }
}
