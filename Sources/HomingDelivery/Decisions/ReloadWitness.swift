internal import HomingBase

/// Tells whether the registration was reloaded in Home Assistant between two receipts.
///
/// A reload changes every entity of ours. Two facts show a reload: the entity that stood longest has
/// changed, and no entity has stood since before the last receipt. The first fact alone shows
/// nothing, since that entity changes by itself, too. A receipt in which no other entity stands
/// counts as a reload. Both times are of Home Assistant's clock. Where that clock was set meanwhile,
/// the first fact is enough; a step within the tolerance is allowed for.
struct ReloadWitness: Sendable {
    /// Seconds by which Home Assistant's clock and ours may differ in what passed between two receipts.
    static let tolerance: Seconds = 10

    private var last: (witness: Seconds, time: Seconds?, uptime: Seconds)?

    /// Remembers a receipt that shows the tracker.
    mutating func note(_ receipt: Receipt, at now: Moment) {
        last = receipt.witness.map { ($0, receipt.time, now.uptime) }
    }

    /// Whether this receipt shows a reload since the one that was noted.
    func showsReload(_ receipt: Receipt, at now: Moment) -> Bool {
        guard let last, receipt.witness != last.witness else { return false }
        guard let witness = receipt.witness, let before = last.time, let time = receipt.time,
            abs((time - before) - (now.uptime - last.uptime)) <= Self.tolerance
        else { return true }
        return witness >= before - Self.tolerance
    }
}
