internal import HomeAssistantAPI
internal import HomingBase
internal import HomingControl
internal import HomingPush
internal import HomingRegistration
internal import HomingRelayProtocol

/// Reads the state of a home's relay into its part of the status.
struct RelayReport {
    let state: HomeState
    let now: Moment

    private var relay: RelayState { state.relay }

    /// `nil` where there is no relay.
    func report() -> StatusReport.Relay? {
        if let url = relay.configured {
            var report = StatusReport.Relay(state: "configured")
            report.host = WebAddress(url)?.host
            report.told = state.registration?.toldRelay != nil
            return report
        }
        guard let membership = relay.membership else { return nil }
        var report = StatusReport.Relay(state: word)
        report.host = WebAddress(membership.url)?.host
        report.name = membership.name
        report.mode = relay.mode.rawValue
        report.maximum = membership.maximum
        report.told = state.registration?.toldRelay == membership.relay.fingerprint
        report.front = membership.front.map(front)
        count(into: &report)
        if let session = relay.session { describeRelaySession(session, into: &report) }
        return report
    }

    private func front(_ front: RelayFront) -> StatusReport.Relay.Front {
        var report = StatusReport.Relay.Front()
        report.host = WebAddress(front.url)?.host
        report.fingerprint = front.fingerprint
        report.told = front.toldAt != nil
        report.problem = relay.frontProblem?.bounded(Bound.reason)
        return report
    }

    private var word: String {
        if relay.isAsleep { return "asleep" }
        return switch relay.session?.state {
        case nil: "off"
        case .resting: relay.mode == .off ? "off" : "resting"
        case .connecting: "connecting"
        case .open: relay.isLooking ? "looking" : "held"
        case .waiting: "waiting"
        }
    }

    private func count(into report: inout StatusReport.Relay) {
        let counts = relay.counts
        report.lastMessage = counts.lastMessage
        report.messages = counts.messages
        report.duplicates = counts.duplicates
        report.refused = counts.refused + relay.refusedContents
        report.dropped = counts.dropped
        report.others = relay.others
        report.refusedOrders = relay.refusedCommands
    }

    private func describeRelaySession(
        _ session: RelaySession, into report: inout StatusReport.Relay
    ) {
        report.problem = session.problem
        report.lastReached = session.lastReached
        report.failingFor = session.failingSince.map { now.uptime - $0 }
        report.clockOffset = session.clockOffset
        if let count = session.count { report.maximum = count.maximum }
        if let day = session.dayCount(at: now) {
            (report.today, report.todayAge) = (day.count.notifications, day.age)
        }
        switch session.state {
        case .open(let since): report.openFor = now.uptime - since
        case .waiting(let until): report.nextAttempt = max(0, until - now.uptime)
        case .resting, .connecting: break
        }
    }
}
