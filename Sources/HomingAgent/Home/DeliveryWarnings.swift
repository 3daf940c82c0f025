internal import HomingControl
internal import HomingDelivery
internal import HomingHealth
internal import HomingRuntime

/// Shows what hinders the delivery of one home as warnings.
@LoopActor final class DeliveryWarnings {
    private let warnings: Warnings
    private var rejections = Rejections()
    /// The trouble that the warnings show now.
    private var shown: (Courier.Trouble?, TrackerRepair.Absence) = (nil, .unknown)

    init(_ warnings: Warnings) { self.warnings = warnings }

    /// Rows that a working Home Assistant refused, the newest last.
    var rejected: [StatusReport.Rejection] { rejections.list }

    /// A working Home Assistant refused rows: the warning stays for a day after the last, or until
    /// the configuration is read again.
    func reject(_ ids: [EntryID], _ reason: String, at now: Moment) {
        if !warnings.isRaised(.rejected) { rejections.forgetCount() }
        let (line, detail) = rejections.noteRejection(ids, reason, at: now)
        warnings.log.warning(line)
        warnings.set(.rejected, true, detail: detail)
    }

    /// A person who reloads the configuration has seen the refusals.
    func forgetRejections() {
        rejections.forgetCount()
        warnings.set(.rejected, false)
    }

    /// Reads the courier's trouble into warnings.
    ///
    /// - Parameter hasRoute: whether there is an endpoint that may be used. Without one, the end of a trouble
    ///   is no success.
    func show(_ trouble: Courier.Trouble?, _ absence: TrackerRepair.Absence, hasRoute: Bool) {
        guard (trouble, absence) != shown else { return }
        shown = (trouble, absence)
        let complaint = DeliveryWarning(trouble, absence)
        let ending: Warnings.Ending =
            if let complaint { .replaced(by: complaint.warnable) } else {
                hasRoute ? .solved : .withdrawn
            }
        for warnable in DeliveryWarning.all {
            warnings.set(
                warnable, warnable == complaint?.warnable, detail: complaint?.detail,
                // Only an outage counts from its beginning; other problems count from now.
                since: warnable == .notDelivering ? trouble?.since : nil, ending: ending)
        }
    }
}
