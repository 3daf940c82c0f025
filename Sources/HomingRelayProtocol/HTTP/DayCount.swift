internal import HomingJSON

/// The counts of a mailbox on one day of UTC.
public struct DayCount: Equatable, Sendable {
    /// Notifications that were taken.
    public var notifications: Int
    /// Orders and critical alerts that were taken.
    public var free: Int
    /// Notifications that were refused.
    public var errors: Int
    /// Orders and critical alerts that were refused.
    public var freeErrors: Int
    /// Limit of notifications a day; 0 for no limit.
    public var maximum: Int
    /// Time when the next day begins: milliseconds since 1970.
    public var resetsAt: Int64

    public init(
        notifications: Int = 0, free: Int = 0, errors: Int = 0, freeErrors: Int = 0, maximum: Int,
        resetsAt: Int64
    ) {
        self.notifications = notifications
        self.free = free
        self.errors = errors
        self.freeErrors = freeErrors
        self.maximum = maximum
        self.resetsAt = resetsAt
    }

    /// Notifications left of the day's limit; `nil` for no limit.
    public var remaining: Int? { maximum > 0 ? max(0, maximum - notifications) : nil }

    /// `rateLimits` as Home Assistant reads it: complete, as it fails with less (`mobile_app/notify.py`).
    /// `nil` without a maximum, which Home Assistant cannot read.
    var rateLimits: JSONValue? {
        guard let remaining else { return nil }
        return .object([
            "successful": .whole(notifications), "errors": .whole(errors),
            "total": .whole(notifications + errors), "maximum": .whole(maximum),
            "remaining": .whole(remaining), "resetsAt": .string(RelayTime.text(of: resetsAt)),
        ])
    }
}

/// The count as a member of a frame.
extension DayCount {
    var json: JSONValue {
        .object([
            "notifications": .whole(notifications), "free": .whole(free),
            "errors": .whole(errors), "free_errors": .whole(freeErrors),
            "maximum": .whole(maximum), "resets": .whole(Int(resetsAt)),
        ])
    }

    /// `nil` if a number is missing, or negative.
    init?(_ json: JSONValue?) {
        let numbers = [
            "notifications", "free", "errors", "free_errors", "maximum", "resets",
        ].compactMap { json?[$0]?.whole }.filter { $0 >= 0 }
        guard numbers.count == 6 else { return nil }
        self.init(
            notifications: numbers[0], free: numbers[1], errors: numbers[2],
            freeErrors: numbers[3], maximum: numbers[4], resetsAt: Int64(numbers[5]))
    }
}
