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
        warnings.set(.rejected, false, ending: .withdrawn)
    }

    /// Reads the courier's trouble into warnings.
    ///
    /// - Parameter hasRoute: whether there is an endpoint that may be used. Without one, the end of a trouble
    ///   is no success.
    func show(_ trouble: Courier.Trouble?, _ absence: TrackerRepair.Absence, hasRoute: Bool) {
        guard (trouble, absence) != shown else { return }
        shown = (trouble, absence)
        let complaint = DeliveryWarning(trouble, absence)
        if complaint == nil, trouble != nil { return withdrawProblemsOfFormerRoute() }
        if let complaint {
            // Only an outage counts from its beginning; other problems count from now.
            let since = complaint.warnable == .notDelivering ? trouble?.since : nil
            warnings.set(complaint.warnable, true, detail: complaint.detail, since: since)
        }
        let ending = endingOfOthers(beside: complaint?.warnable, hasRoute: hasRoute)
        for warnable in DeliveryWarning.all where warnable != complaint?.warnable {
            warnings.set(warnable, false, ending: ending)
        }
    }

    /// Withdraws the problems of another route. An outage goes on: no endpoint of the present route has been
    /// tried yet.
    private func withdrawProblemsOfFormerRoute() {
        // Its detail names an endpoint of the former route.
        if warnings.isRaised(.notDelivering) { warnings.set(.notDelivering, true) }
        for warnable in DeliveryWarning.all where warnable != .notDelivering {
            warnings.set(warnable, false, ending: .withdrawn)
        }
    }

    /// Returns the ending of the other warnings beside this warning, which may not be shown yet.
    private func endingOfOthers(beside warnable: Warnable?, hasRoute: Bool) -> Warnings.Ending {
        guard let warnable else { return hasRoute ? .solved : .withdrawn }
        let isShown = warnings.visible.contains { $0.warnable == warnable }
        return isShown ? .replaced(by: warnable) : .withdrawn
    }
}
