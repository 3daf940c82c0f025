internal import HomingBase
internal import HomingLocation

/// Compares what the tracker shows with what this machine told, to notice another one that reports by
/// our registration, such as one with a copy of this disk.
///
/// A receipt mostly follows a position of ours, and shows that one. So the tracker is looked at before
/// a position is sent: soon after the start, once an hour, and each time for some hours after it
/// showed a place that this machine did not tell. What it shows counts only after it has shown a
/// place of this run, and not where the registration was reloaded since: a Home Assistant that has
/// restarted may show what it held long before.
struct OthersWatch: Sendable {
    /// Seconds from the first receipt that shows a place of ours to the first look, and between two
    /// looks after a strange place.
    static let soon: Seconds = 20
    static let interval: Seconds = 3600
    /// Seconds for which a strange place makes every position worth a look.
    static let suspicionLasts: Seconds = 6 * 3600
    /// Places that are remembered; half of them are twice what is sent between two receipts.
    static let capacity = 4 * Courier.maxUnproved

    /// Newest locations that were reported to Home Assistant since the start.
    private var told: [LocationMessage] = []
    /// Whether the tracker showed a place of those when it was last looked at.
    private var showsOwn = false
    /// Whether it was looked at before a position.
    private var hasLooked = false
    /// Uptime at which it was last looked at, and at which it showed a strange place.
    private var lookedAt: Seconds?
    private var strangeAt: Seconds?

    /// Home Assistant is told of a place.
    mutating func noteSent(_ message: LocationMessage) {
        told.append(message)
        if told.count > Self.capacity { told.removeFirst(Self.capacity / 2) }
    }

    /// Whether the tracker is to be looked at before another position is sent.
    func wantsLook(at now: Moment) -> Bool {
        guard showsOwn, let lookedAt else { return false }
        let isSoon =
            !hasLooked || strangeAt.map { now.uptime - $0 < Self.suspicionLasts } ?? false
        return now.uptime - lookedAt >= (isSoon ? Self.soon : Self.interval)
    }

    /// A look has brought its receipt.
    mutating func looked(at now: Moment) {
        hasLooked = true
        lookedAt = now.uptime
    }

    /// A receipt came; whether it shows a place of somebody else's.
    ///
    /// - Parameter wasReloaded: whether the registration was reloaded since the receipt before.
    mutating func isStrange(
        _ receipt: Receipt, zones: [Zone], wasReloaded: Bool, at now: Moment
    ) -> Bool {
        guard receipt.trackerExists, receipt.trackerState != "unavailable",
            receipt.trackerState != "unknown"
        else { return false }
        if lookedAt == nil { lookedAt = now.uptime }
        let wasOwn = showsOwn
        showsOwn = told.contains { ReceiptJudge.holds(receipt, $0, zones) }
        guard wasOwn, !showsOwn, !wasReloaded else { return false }
        strangeAt = now.uptime
        return true
    }
}
