internal import HomingBase
internal import HomingLocation

/// Reloads of the registration in Home Assistant, as receipts tell of them.
///
/// While its tracker is being set up again, Home Assistant answers positions as ever and loses them,
/// and the next one it takes looks as if all before had come.
extension Courier {
    mutating func noteWitness(_ receipt: Receipt, _ now: Moment) {
        guard receipt.trackerExists else { return }
        if !receipt.isShort {
            let form = ShortForm(receipt, steadyAfter: 2 * receiptInterval, at: now)
            session?.shortForm = form
        }
        if reloads.showsReload(receipt, at: now) {
            hasReloaded = true
            hintAtChange(after: Self.hintedInterval.reload, now)
        }
        reloads.note(receipt, at: now)
    }

    /// Whether one receipt is to vouch for several positions, some of which may have come while
    /// nobody listened. The one it shows has come in any case.
    mutating func mayHaveMissedSome(of sent: [SentItem], _ finding: ReceiptJudge.Finding) -> Bool {
        guard hasReloaded, finding != .trackerMissing else { return false }
        hasReloaded = sent.count { $0.location != nil } > 1
        return hasReloaded
    }

    /// Reads the reports that were sent before and after a reload again from the queue. This is
    /// done as at the beginning of a session, but the row that is shown is known. Events, history
    /// and sensors do not hang on the tracker: the webhook that answered has taken them.
    mutating func lookAgain(
        _ receipt: Receipt, _ finding: ReceiptJudge.Finding, _ purpose: ReceiptPurpose,
        _ now: Moment
    ) -> [Effect] {
        let sent = session?.sent.items ?? []
        let effects = arrivedButPositions(sent)
        session?.reload()
        session?.shown = ReceiptJudge.shown(sent, receipt, zones: zones + formerZones)
        session?.careful = finding != .allArrived
        session?.held = receipt
        inDoubt = true
        return effects + closeSuspicion(purpose, now)
    }

    /// The session began while Home Assistant showed no tracker, and could not see what it held of
    /// the positions sent before: now it shows that, and what came before it may be lost.
    mutating func lookFromHere(_ receipt: Receipt) {
        session?.held = receipt
        inDoubt = true
        hasReloaded = true
    }

    mutating func recall() -> [Effect] {
        phase = .waiting(.recall)
        return [.store(.recall(limit: Self.maxUnproved + 1))]
    }

    /// Compares what Home Assistant held with the rows that may have been sent. After a reload the
    /// ones before the one it shows may be lost: they are history before that one is settled, so
    /// that whatever ends this here, none is reported for the map after it.
    mutating func recalled(
        _ live: [OutboxEntry], lastDelivered: Coordinate?, _ now: Moment
    ) -> [Effect] {
        guard case .waiting(.recall) = phase, let session, let held = session.held else {
            return []
        }
        let isCertain = session.shown?.isCertain ?? true
        let arrived =
            session.shown.map { shown in live.firstIndex { $0.id == shown.row }.map { $0 + 1 } ?? 0
            }
            ?? ReceiptJudge.arrivedBefore(live, held, lastDelivered: lastDelivered)
        if let effect = lostOnes(live, arrived: arrived, held, lastDelivered) {
            return [.store(effect)] + recall()
        }
        let unproved = isCertain ? arrived - 1 : arrived
        let isLatestAlone = settings.backlog == .latest && live.count == 1
        if hasReloaded, unproved > 0, !isLatestAlone {
            return [.store(noLongerNews(through: live[unproved - 1].id.number))] + recall()
        }
        inDoubt = false
        hasReloaded = false
        self.session?.shown = nil
        let settled = isCertain ? live.prefix(arrived).map(\.id) : []
        return (settled.isEmpty ? [] : [.store(.settle(settled, .deliveredLive))]) + advance(now)
    }

    /// Returns the effect that drops the older locations where only the newest location counts.
    /// Elsewhere the effect makes the locations up to this number history.
    func noLongerNews(through number: Int64) -> StoreEffect {
        settings.backlog == .latest ? .supersedeOlderPositions : .makeHistory(through: number)
    }
}

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

    /// Remembers a receipt that shows the tracker. A short one counts where it shows the witness, which has
    /// not changed then.
    mutating func note(_ receipt: Receipt, at now: Moment) {
        if receipt.isShort {
            guard let last, receipt.witness == last.witness else { return }
            let passed = now.uptime - last.uptime
            self.last = (last.witness, last.time.map { $0 + passed }, now.uptime)
            return
        }
        last = receipt.witness.map { ($0, receipt.time, now.uptime) }
    }

    /// Whether this receipt shows a reload since the one that was noted.
    func showsReload(_ receipt: Receipt, at now: Moment) -> Bool {
        guard !receipt.isShort, let last, receipt.witness != last.witness else { return false }
        guard let witness = receipt.witness, let before = last.time, let time = receipt.time,
            abs((time - before) - (now.uptime - last.uptime)) <= Self.tolerance
        else { return true }
        return witness >= before - Self.tolerance
    }
}
