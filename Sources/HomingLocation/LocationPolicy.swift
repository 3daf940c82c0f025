public import HomingBase

/// Decides which positions Home Assistant is told.
///
/// A report is accepted when it is good (a fix, accurate, of now, not seen before, in reach of the
/// last one) and matters: it moved, crossed a zone's border, was asked for, or the heartbeat is due.
/// Each report that is not accepted is counted under its reason.
public struct LocationPolicy: Sendable {
    public struct Settings: Equatable, Sendable {
        /// Metres; less accurate fixes are skipped.
        public var maxAccuracy: Double
        /// Metres from the last reported place; the accuracy counts instead where it is larger.
        public var minDistance: Double
        /// Seconds after which a position is reported though nothing happened; 0 is never.
        public var heartbeat: Seconds
        /// Seconds; older fixes are no news.
        public var maxAge: Seconds

        public init(
            maxAccuracy: Double = 200, minDistance: Double = 20, heartbeat: Seconds = 900,
            maxAge: Seconds = 300
        ) {
            self.maxAccuracy = maxAccuracy
            self.minDistance = minDistance
            self.heartbeat = heartbeat
            self.maxAge = maxAge
        }
    }

    /// Why a position is reported.
    public enum ReportReason: String, Equatable, Sendable {
        /// The first since the start.
        case first
        case requested
        /// It is in another zone than the last reported one.
        case zoneCrossed = "zone_crossed"
        case moved
        case heartbeat
    }

    public enum Decision: Equatable, Sendable {
        case accept(Fix, ReportReason)
        case skip(SkipReason)
    }

    /// A receiver's clock may run this many seconds ahead of ours.
    static let clockTolerance: Seconds = 10
    /// A place on a border may seem to cross it with every fix: seconds between two such reports.
    static let crossingInterval: Seconds = 10

    public var settings: Settings
    public var zones = ZoneMap()
    /// How many reports were skipped, by reason.
    public private(set) var skipped: [SkipReason: Int] = [:]

    private struct Reported: Sendable {
        var fix: Fix
        var uptime: Seconds
    }
    private var lastReported: Reported?
    /// Time of the newest fix that was believed, to tell the repeats within one epoch.
    private var lastTime: Seconds?
    /// Uptime of the last report of a crossing.
    private var lastCrossing: Seconds?
    private var requested = false
    private var holder = HeldFixes()
    private var frozen = FrozenPlace()
    /// Uptime since which the receiver has said one place, equal to the last digit.
    public private(set) var frozenSince: Seconds?

    /// What became of fixes out of the machine's reach.
    public var held: HeldFixes.Count { holder.count }

    public init(settings: Settings) { self.settings = settings }

    /// The receiver has gone: its place is not frozen any more.
    public mutating func forgetReceiver() { frozenSince = nil }

    /// The next good fix is reported whatever it says.
    public mutating func request() { requested = true }

    /// Takes a report and decides.
    ///
    /// - Parameter standsStill: whether the machine is known to have stood still until now.
    public mutating func consider(
        _ report: PositionReport, standsStill: Bool = false, at now: Moment
    ) -> Decision {
        let decision = judge(report, standsStill, now)
        switch decision {
        case .accept(let fix, let reason):
            if reason == .zoneCrossed { lastCrossing = now.uptime }
            lastReported = Reported(fix: fix, uptime: now.uptime)
            requested = false
        case .skip(let reason):
            skipped[reason, default: 0] += 1
        }
        return decision
    }

    /// What was accepted could not be stored: it counts as skipped, and the next one is wanted.
    public mutating func notStored() {
        skipped[.notStored, default: 0] += 1
        requested = true
    }

    private mutating func judge(
        _ report: PositionReport, _ standsStill: Bool, _ now: Moment
    ) -> Decision {
        switch goodFix(report, now) {
        case .failure(let reason): return .skip(reason)
        case .success(let fix):
            switch holder.judge(fix, standsStill: standsStill, at: now) {
            case .held: return .skip(.held)
            case .repeated: return .skip(.duplicate)
            case .believed: break
            }
            lastTime = fix.time
            frozenSince = frozen.take(fix, at: now)
            if frozenSince != nil { return .skip(.frozen) }
            return reason(for: fix, now).map { .accept(fix, $0) } ?? .skip(.near)
        }
    }

    /// The gates of quality.
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

    /// The gate of interest.
    private func reason(for fix: Fix, _ now: Moment) -> ReportReason? {
        guard let last = lastReported else { return .first }
        if requested { return .requested }
        let sinceLast = now.uptime - last.uptime
        let sinceCrossing = lastCrossing.map { now.uptime - $0 } ?? .infinity
        if sinceCrossing >= Self.crossingInterval, zoneID(fix) != zoneID(last.fix) {
            return .zoneCrossed
        }
        let distance = Geodesy.distance(last.fix.coordinate, fix.coordinate)
        if distance >= max(settings.minDistance, fix.accuracy) { return .moved }
        if settings.heartbeat > 0, sinceLast >= settings.heartbeat { return .heartbeat }
        return nil
    }

    private func zoneID(_ fix: Fix) -> String? {
        zones.zone(at: fix.coordinate, accuracy: fix.accuracy)?.entityID
    }
}
