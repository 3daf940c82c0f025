/// Reloads of the registration in Home Assistant, as receipts tell of them.
///
/// While its tracker is being set up again, Home Assistant answers positions as ever and loses them,
/// and the next one it takes looks as if all before had come.
extension Courier {
    /// A later moment than before, or none where there was one: every entity has changed.
    mutating func noteWitness(_ receipt: Receipt) {
        guard receipt.trackerExists else { return }
        if let witness, receipt.witness != witness { hasReloaded = true }
        witness = receipt.witness
    }

    /// Whether one receipt is to vouch for several positions, some of which may have come while
    /// nobody listened. The one it shows has come in any case.
    mutating func mayHaveMissedSome(of sent: [SentItem], _ finding: ReceiptJudge.Finding) -> Bool {
        guard hasReloaded, finding != .trackerMissing else { return false }
        hasReloaded = sent.count { $0.location != nil } > 1
        return hasReloaded
    }

    /// What was sent before and after a reload is read again from the outbox, as at the beginning of
    /// a session, but it is known which row is shown. Events, history and sensors do not hang on
    /// the tracker: the webhook that answered has taken them.
    mutating func lookAgain(
        _ receipt: Receipt, _ finding: ReceiptJudge.Finding, _ purpose: ReceiptPurpose,
        _ now: Moment
    ) -> [Effect] {
        let sent = session?.sent ?? []
        let effects = arrivedButPositions(sent)
        let shown = ReceiptJudge.newestHeld(sent, receipt, zones: zones)
        session?.reload()
        session?.shown = shown.flatMap { sent[$0].entries.last?.id }
        session?.careful = finding != .allArrived
        session?.held = receipt
        inDoubt = true
        return effects + closeSuspicion(purpose, now)
    }
}
