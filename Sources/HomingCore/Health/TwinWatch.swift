/// Whether another machine uses this registration: the tracker goes back and forth between our places
/// and those of somebody else, or the registration's mark between ours and another's (`ChannelMark`).
///
/// One sign proves nothing: a person may have set it in Home Assistant, or Home Assistant was
/// restarted and shows what it held before. A strange place counts only after a place of ours was shown again.
public struct TwinWatch: Sendable {
    /// Signs that make it certain, and the seconds within which they must come.
    static let limit = 3
    static let lasts: Seconds = 6 * 3600

    /// Uptimes.
    private var strange: [Seconds] = []

    public init() {}

    /// The tracker showed a place that this machine did not tell, or the registration holds a mark of
    /// another daemon.
    public mutating func sawSign(at now: Moment) {
        strange.removeAll { now.uptime - $0 > Self.lasts }
        strange.append(now.uptime)
    }

    /// Whether there is another machine.
    public func isCertain(at now: Moment) -> Bool { count(now) >= Self.limit }

    /// Whether there may be another machine: enough not to do what would harm it.
    public func isSuspected(at now: Moment) -> Bool { count(now) > 0 }

    private func count(_ now: Moment) -> Int {
        strange.count { now.uptime - $0 <= Self.lasts }
    }
}
