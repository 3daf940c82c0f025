public import HomingBase

/// Notices that another machine uses this registration: the tracker goes back and forth between our
/// places and other places, or the registration's mark between ours and another (`ChannelMark`).
///
/// One sign proves nothing: a person can have set the place in Home Assistant, or Home Assistant was
/// restarted and shows an earlier place. A strange place counts only after a place of ours was shown
/// again.
public struct TwinWatch: Sendable {
    /// Signs that make it certain, and the seconds within which they must come.
    static let limit = 3
    static let lasts: Seconds = 6 * 3600

    /// Uptimes of the signs of the last six hours.
    private var signs: [Seconds] = []

    public init() {}

    /// The tracker showed a place that this machine did not tell, or the registration holds a mark of
    /// another daemon.
    public mutating func sawSign(at now: Moment) {
        signs.removeAll { now.uptime - $0 > Self.lasts }
        signs.append(now.uptime)
    }

    /// Whether there is another machine.
    public func isCertain(at now: Moment) -> Bool { count(now) >= Self.limit }

    /// Whether there may be another machine: enough not to do what would harm it.
    public func isSuspected(at now: Moment) -> Bool { count(now) > 0 }

    private func count(_ now: Moment) -> Int {
        signs.count { now.uptime - $0 <= Self.lasts }
    }
}
