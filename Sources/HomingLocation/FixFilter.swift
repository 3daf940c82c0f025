public import HomingBase

/// Decides which fixes this machine believes: a fix that is accurate, of now, not seen before, and in
/// reach of the last one.
///
/// Each report that is not believed is counted under its reason.
public struct FixFilter: Sendable {
    public struct Settings: Equatable, Sendable {
        /// Metres; less accurate fixes are skipped.
        public var maxAccuracy: Double
        /// Seconds; older fixes are too old for the map.
        public var maxAge: Seconds

        public init(maxAccuracy: Double = 200, maxAge: Seconds = 300) {
            self.maxAccuracy = maxAccuracy
            self.maxAge = maxAge
        }
    }

    public enum Verdict: Equatable, Sendable {
        case believed(Fix)
        case skipped(SkipReason)
    }

    /// A receiver's clock may run this many seconds ahead of ours.
    static let clockTolerance: Seconds = 10

    public var settings: Settings
    /// Number of skipped reports, by reason.
    public private(set) var skipped: [SkipReason: Int] = [:]
    /// Time of the newest fix that was believed, to tell the repeats within one epoch.
    private var lastTime: Seconds?
    private var holder = HeldFixes()
    private var frozen = FrozenPlace()
    /// Uptime since which the receiver has said one place, equal to the last digit.
    public private(set) var frozenSince: Seconds?

    /// Number of fixes out of the machine's reach, by what became of them.
    public var held: HeldFixes.Count { holder.count }

    public init(settings: Settings = Settings()) { self.settings = settings }

    /// The receiver has gone: its place is not frozen any more.
    public mutating func forgetReceiver() { frozenSince = nil }

    /// Judges a report.
    ///
    /// - Parameter standsStill: whether the machine is known to have stood still until now.
    public mutating func judge(
        _ report: PositionReport, standsStill: Bool = false, at now: Moment
    ) -> Verdict {
        switch goodFix(report, now) {
        case .failure(let reason): return skip(reason)
        case .success(let fix):
            switch holder.judge(fix, standsStill: standsStill, at: now) {
            case .held: return skip(.held)
            case .repeated: return skip(.duplicate)
            case .believed: break
            }
            lastTime = fix.time
            frozenSince = frozen.judgeFix(fix, at: now)
            return frozenSince == nil ? .believed(fix) : skip(.frozen)
        }
    }

    private mutating func skip(_ reason: SkipReason) -> Verdict {
        skipped[reason, default: 0] += 1
        return .skipped(reason)
    }

    private func goodFix(_ report: PositionReport, _ now: Moment) -> Result<Fix, SkipReason> {
        Fix.reading(report).flatMap { fix in
            if fix.accuracy > settings.maxAccuracy { return .failure(.inaccurate) }
            if fix.time > now.unixTime + Self.clockTolerance { return .failure(.future) }
            if now.unixTime - fix.time > settings.maxAge { return .failure(.old) }
            // A last time that lies in the future is one from before the clock was set back.
            if let lastTime, fix.time <= lastTime, lastTime <= now.unixTime + Self.clockTolerance {
                return .failure(.duplicate)
            }
            return .success(fix)
        }
    }
}
