internal import HomingBase
internal import HomingRoutes

/// Looks at the tracker for what another machine told by our registration (`OthersWatch`).
extension Courier {
    /// Whether to look at the tracker before the position that is next.
    func wantsLook(_ now: Moment) -> Bool {
        session?.sent.isEmpty == true && session?.lacksTracker == false
            && session?.rows.live.isEmpty == false && others.wantsLook(at: now)
    }

    /// The look under way ends with this receipt.
    mutating func looked(_ receipt: Receipt, onNewConnection: Bool, _ now: Moment) -> [Effect] {
        others.looked(at: now)
        if onNewConnection { session?.mustProve = true }
        if receipt.trackerState == "unavailable" { return fail(.trackerNotLoaded, now) }
        noteTracker(exists: receipt.trackerExists)
        noteWitness(receipt, now)
        if !receipt.trackerExists { session?.reload() }
        return advance(now)
    }

    /// Says whether a receipt shows a place that this machine did not tell.
    mutating func lookForOthers(_ receipt: Receipt, _ now: Moment) -> [Effect] {
        let wasReloaded = reloads.showsReload(receipt, at: now)
        return others.isStrange(
            receipt, zones: zones + formerZones, wasReloaded: wasReloaded, at: now)
            ? [.strangePlace] : []
    }
}
