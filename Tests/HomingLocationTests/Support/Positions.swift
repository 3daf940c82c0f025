import HomingBase
import HomingLocation

/// Path from a report to its place in Home Assistant: the machine's filter and a home's policy,
/// one after the other, as the daemon has them.
struct Positions {
    enum Decision: Equatable {
        case accept(Fix, ReportPolicy.Reason)
        case skip(SkipReason)
    }

    private(set) var filter: FixFilter
    var policy: ReportPolicy

    init(
        maxAccuracy: Double = 200, minDistance: Double = 20, heartbeat: Seconds = 900,
        maxAge: Seconds = 300
    ) {
        filter = FixFilter(settings: FixFilter.Settings(maxAccuracy: maxAccuracy, maxAge: maxAge))
        policy = ReportPolicy(
            settings: ReportPolicy.Settings(
                minDistance: minDistance, heartbeat: heartbeat, maxAge: maxAge))
    }

    /// Number of locations that filter and policy skipped, by reason.
    var skipped: [SkipReason: Int] { filter.skipped.merging(policy.skipped, uniquingKeysWith: +) }

    mutating func consider(
        _ report: PositionReport, standsStill: Bool = false, at now: Moment
    ) -> Decision {
        switch filter.judge(report, standsStill: standsStill, at: now) {
        case .skipped(let reason): return .skip(reason)
        case .believed(let fix):
            switch policy.consider(fix, at: now) {
            case .report(let reason): return .accept(fix, reason)
            case .skip(let reason): return .skip(reason)
            }
        }
    }
}
