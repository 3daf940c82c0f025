internal import HomingBase
internal import HomingControl
internal import HomingHealth
internal import HomingPush
internal import HomingRoutes

extension PushStage {
    /// What the status says of it; `nil` without a registration.
    func report(_ now: Moment) -> StatusReport.Push? {
        guard gate != nil else { return nil }
        let session = channel?.session
        var report = StatusReport.Push(
            state: "off", problem: session?.problem, way: session?.way?.kind.rawValue,
            lastMessage: session?.lastMessage, lastConfirmed: session?.lastConfirmed,
            shown: desk.shown, folded: desk.folded, duplicates: session?.duplicates ?? 0,
            desktopProblem: desk.desktopProblem)
        if !desk.hasOwnDesktop || desk.helpers.all.contains(where: \.isAttended) {
            report.helpers = desk.helpers.report()
            if case .failure(let absence) = desk.helpers.chosen() {
                report.absence = absence.reason
            }
        }
        switch session?.state {
        case nil: report.problem = "the registration has no token"
        case .off: report.problem = reason ?? "there is no way"
        case .asleep: report.state = "asleep"
        case .connecting: report.state = "connecting"
        case .open(let since):
            report.state = "open"
            report.openFor = now.uptime - since
            if pipeline.health.isRaised(.registrationShared) {
                report.problem =
                    "another machine uses this registration; only one of the two gets them"
            }
        case .waiting(let until):
            report.state = "waiting"
            report.nextAttempt = max(0, until - now.uptime)
        case .stopped: report.state = "stopped"
        }
        return report
    }
}
