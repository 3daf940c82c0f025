public import HomingBase
internal import HomingHealth

/// Notices that every fix is skipped, and always for one reason.
public struct SkipStreak: Sendable {
    /// Seconds after which a streak is a fault.
    public static let patience = Warnable.fixesSkipped.visibleAfter

    /// The reason for which every fix has been skipped, and since which uptime.
    public private(set) var current: (reason: SkipReason, since: Seconds)?

    public init() {}

    /// Takes the filter's verdict about a report.
    public mutating func noteVerdict(_ verdict: FixFilter.Verdict, at now: Moment) {
        switch verdict {
        // Without a fix nothing is skipped.
        case .skipped(.noFix): current = nil
        case .skipped(.duplicate): break
        case .skipped(let reason) where reason.isReceivers:
            if current?.reason != reason { current = (reason, now.uptime) }
        case .skipped, .believed: current = nil
        }
    }

    /// Forgets the streak, as there is no receiver any more.
    public mutating func forget() { current = nil }
}

extension SkipReason {
    /// Whether a person may do something about it at the receiver, and no other warning says so.
    var isReceivers: Bool { explanation != nil }

    /// Text about a receiver whose fixes are all skipped for this reason. `nil` where another
    /// warning says so, or where nothing is wrong.
    public var explanation: String? {
        switch self {
        case .noPlace: "they have no location"
        case .noTime: "they have no date, and this machine's clock is not known to be set"
        case .inaccurate: "they are less accurate than [location] max_accuracy"
        case .held: "this machine cannot have got to the places they name"
        case .frozen: "they repeat one location, equal to the last digit, for more than a minute"
        case .noFix, .old, .future, .duplicate, .near, .sameZone, .undisclosed, .unregistered,
            .notStored:
            nil
        }
    }
}
