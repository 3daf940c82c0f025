internal import HomingBase

/// Notices a receiver that says the same place again and again.
///
/// A place always errs a little, so its last digits change also at rest. A receiver that sends a date
/// shows by it that it works, and some hold their place at rest on purpose: only of those without a
/// date a place that stays equal to the last digit is called frozen.
struct FrozenPlace: Sendable {
    /// Seconds after which a place that does not change is frozen.
    static let limit: Seconds = 60

    private var place: Coordinate?
    private var since: Seconds = 0
    /// Whether the place has changed since the daemon's start.
    private var hasMoved = false

    /// Takes a fix, and tells since which uptime its place is frozen.
    mutating func judgeFix(_ fix: Fix, at now: Moment) -> Seconds? {
        guard fix.coordinate == place else {
            hasMoved = hasMoved || place != nil
            place = fix.coordinate
            since = now.uptime
            return nil
        }
        let isFrozen = hasMoved && fix.timeSource != .receiver && now.uptime - since >= Self.limit
        return isFrozen ? since : nil
    }
}
