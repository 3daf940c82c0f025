internal import HomingBase

/// Content of the last full receipt about our tracker, by which the next receipts can be short.
///
/// A short receipt confirms, and does nothing else. The tracker has to show the place that was sent
/// last. Where several positions hang on the receipt, the witness must not have changed. Anything else
/// is asked in full: the tracker may have been renamed, removed or reloaded, or a position was not taken.
struct ShortForm: Sendable {
    /// Seconds after a full receipt in which the next ones are short.
    static let lasts: Seconds = 3600
    private let names: TrackerNames
    private let witness: Seconds?
    private let isSteady: Bool
    private let toldAt: Seconds

    /// `nil` where the receipt tells of no tracker.
    ///
    /// - Parameter steadyAfter: seconds for which the witness must have stood: one that changes often
    ///   would have most receipts asked twice.
    init?(_ receipt: Receipt, steadyAfter: Seconds, at now: Moment) {
        guard !receipt.isShort, receipt.trackerExists, let names = receipt.names else { return nil }
        self.names = names
        witness = receipt.witness
        let age = receipt.time.flatMap { time in receipt.witness.map { time - $0 } }
        isSteady = age.map { $0 >= steadyAfter } ?? (receipt.witness == nil)
        toldAt = now.uptime
    }

    /// Whether our device had another entity.
    var hasWitness: Bool { names.witness != nil }

    /// Returns the names that a receipt for these asks for; `nil` where it has to be a full one.
    ///
    /// - Parameter isNew: whether the connection may be a new one, as after a restart of Home Assistant.
    func names(for sent: SentItems, isNew: Bool, at now: Moment) -> TrackerNames? {
        // A zone's name can be the state of another entity that has got the tracker's name.
        guard now.uptime - toldAt < Self.lasts,
            case .fix? = sent.items.last(where: { $0.location != nil })?.location?.place
        else { return nil }
        // The one that is shown has come, whatever was reloaded before. But a restart that goes unnoticed
        // here has the next positions told twice.
        if sent.positions == 1, !isNew {
            return TrackerNames(tracker: names.tracker, witness: nil)
        }
        return isSteady ? names : nil
    }

    /// Whether the answer shows that all of these have come.
    func confirms(_ sent: SentItems, _ receipt: Receipt, _ asked: TrackerNames) -> Bool {
        receipt.trackerState != "unavailable"
            && (asked.witness == nil || receipt.witness == witness)
            && ReceiptJudge.judge(sent.items, receipt, zones: []) == .allArrived
    }
}

extension Courier {
    /// Asks for the receipt that closes what was sent.
    mutating func askToClose(_ now: Moment) -> [Effect] {
        guard let session,
            let names = session.shortForm?.names(
                for: session.sent, isNew: session.mustProve, at: now)
        else { return beginRequest(.receipt(.closing)) }
        return beginRequest(.shortReceipt(names))
    }

    /// Takes a short receipt. Asks in full, over the same connection, for what is not confirmed.
    mutating func confirmed(
        _ receipt: Receipt, _ asked: TrackerNames, onNewConnection: Bool, _ now: Moment
    ) -> [Effect] {
        if let session, session.shortForm?.confirms(session.sent, receipt, asked) == true {
            return received(receipt, .closing, onNewConnection: onNewConnection, now)
        }
        proved(now)
        session?.shortForm = nil
        if onNewConnection {
            forgetUncovered()
            session?.mustProve = false
        }
        return beginRequest(.receipt(.closing))
    }
}
