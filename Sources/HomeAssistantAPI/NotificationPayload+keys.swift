internal import HomingJSON

/// The keys of a notification's data, of Android's app, of iOS's and of the older schemes:
/// companion.home-assistant.io, "Notifications".
extension NotificationPayload {
    private var push: JSONValue? { data["push"] }

    /// A later notification with the same tag replaces this one.
    public var tag: String? { text("tag") ?? push?["apns-collapse-id"]?.text }
    /// iOS called it `thread-id`.
    public var group: String? { text("group") ?? push?["thread-id"]?.text }
    public var channel: String? { text("channel") }
    /// Android called it `subject`.
    public var subtitle: String? { text("subtitle") ?? text("subject") }
    /// A URL or a path; iOS has an `attachment` too.
    public var image: String? { text("image") ?? data["attachment"]?["url"]?.text }
    public var icon: String? { text("icon_url") }

    /// Target that a click opens. iOS takes an object with a target for each action, and `_` for
    /// the click.
    public var clickAction: String? {
        text("clickAction") ?? text("url") ?? data["url"]?["_"]?.text
    }

    /// Targets that the actions open, by the id of the action, where `url` is iOS's object.
    public var actionLinks: [String: String] {
        guard case .object(let links)? = data["url"] else { return [:] }
        return links.compactMapValues(\.text)
    }

    /// Seconds.
    public var timeout: Double? { data["timeout"]?.number }
    public var isSticky: Bool { isTrue("sticky") }
    public var isPersistent: Bool { isTrue("persistent") }
    public var isAlertedOnce: Bool { isTrue("alert_once") }
    /// Whether `mobile_app_notification_received` is wanted.
    public var wantsReceipt: Bool { isTrue("confirmation") }

    /// `min`, `low`, `default`, `high`, `max`.
    public var importance: String? { text("importance")?.lowercased() }
    /// `passive`, `active`, `time-sensitive`, `critical`.
    public var interruptionLevel: String? {
        (push?["interruption-level"] ?? data["interruption-level"])?.text?.lowercased()
    }
    /// iOS's critical alerts of before interruption levels.
    public var isCriticalSound: Bool { push?["sound"]?["critical"]?.isTrue ?? false }
    /// Whether it is to be seen at once, by either scheme.
    public var isCritical: Bool {
        if isCriticalSound { return true }
        return switch (interruptionLevel, importance) {
        case ("critical", _), (nil, "max"): true
        default: false
        }
    }
    /// `none` of either scheme.
    public var isSilent: Bool {
        let sound = push?["sound"]?.text ?? push?["sound"]?["name"]?.text ?? text("sound")
        return sound?.lowercased() == "none"
    }

    /// Android's `ttl`: for how many seconds it is worth anything, 0 or more, maybe infinite. What is
    /// negative or no number, such as "NaN", is 0. `nil` if nothing is said that can be read.
    public var timeToLive: Double? {
        let value: Double? =
            switch data["ttl"] {
            case .whole(let value)?: Double(value)
            case .number(let value)?: value
            case .string(let text)?: Double(text)
            default: nil
            }
        return value.map { $0 > 0 ? $0 : 0 }
    }

    /// The progress in percent; unbounded.
    public var progressPercent: Double? {
        let limit = data["progress_max"]?.number ?? 100
        guard let progress = data["progress"]?.number, progress >= 0, limit > 0 else { return nil }
        return progress / limit * 100
    }
    /// Android shows one of -1 so, too.
    public var isProgressIndeterminate: Bool {
        isTrue("progress_indeterminate") || (data["progress"]?.number ?? 0) < 0
    }

    /// The category of iOS's older scheme.
    public var category: String? { push?["category"]?.text ?? text("category") }
    /// `command` of messages that are commands.
    public var command: String? { text("command") }

    /// Actions that the notification offers.
    public var actions: [OfferedAction] {
        data["actions"]?.elements.prefix(64).map { OfferedAction($0) } ?? []
    }

    private func text(_ key: String) -> String? { data[key]?.text }
    private func isTrue(_ key: String) -> Bool { data[key]?.isTrue ?? false }
}
