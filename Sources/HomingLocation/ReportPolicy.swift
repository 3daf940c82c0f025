public import HomingBase

/// Decides which of the fixes that the machine believes a Home Assistant is told.
///
/// A fix is reported when it matters: the machine moved, crossed a zone's border, was asked for its
/// place, or the heartbeat is due. Each fix that is not reported is counted under its reason.
public struct ReportPolicy: Sendable {
    public struct Settings: Equatable, Sendable {
        /// Detail in which a fix is reported.
        public var disclosure: Disclosure
        /// Metres from the last reported place; the accuracy counts instead where it is larger.
        public var minDistance: Double
        /// Seconds after which a position is reported though nothing happened; 0 is never.
        public var heartbeat: Seconds
        /// Seconds; older fixes are too old for the map.
        public var maxAge: Seconds

        public init(
            disclosure: Disclosure = .exact, minDistance: Double = 20, heartbeat: Seconds = 900,
            maxAge: Seconds = 300
        ) {
            self.disclosure = disclosure
            self.minDistance = minDistance
            self.heartbeat = heartbeat
            self.maxAge = maxAge
        }
    }

    /// Reason why a fix is reported.
    public enum Reason: String, Equatable, Sendable {
        /// The first since the start.
        case first
        case requested
        /// Fix in another zone than the last reported fix.
        case zoneCrossed = "zone_crossed"
        case moved
        case heartbeat

        /// Whether the report does not wait for company.
        public var isUrgent: Bool { [.first, .requested, .zoneCrossed].contains(self) }
    }

    public enum Decision: Equatable, Sendable {
        case report(Reason)
        case skip(SkipReason)
    }

    /// A place on a border may seem to cross it with every fix: seconds between two such reports.
    static let crossingInterval: Seconds = 10

    public var settings: Settings
    public var zones = ZoneMap()
    /// Whether a Home Assistant is to get the reports: without a registration, nothing may be kept.
    public var hasReader = true
    /// Number of skipped fixes, by reason.
    public private(set) var skipped: [SkipReason: Int] = [:]

    private var lastReported: (fix: Fix, uptime: Seconds)?
    /// Uptime of the last report of a crossing.
    private var lastCrossing: Seconds?
    private var requested = false

    public init(settings: Settings = Settings()) { self.settings = settings }

    /// The next fix is reported whatever it says.
    public mutating func request() { requested = true }

    /// Takes a fix that the machine believes, and decides.
    public mutating func consider(_ fix: Fix, at now: Moment) -> Decision {
        guard settings.disclosure != .never else { return skip(.undisclosed) }
        guard hasReader else { return skip(.unregistered) }
        guard now.unixTime - fix.time <= settings.maxAge else { return skip(.old) }
        guard let reason = reason(for: fix, now) else {
            return skip(tellsZonesAlone ? .sameZone : .near)
        }
        if reason == .zoneCrossed { lastCrossing = now.uptime }
        lastReported = (fix, now.uptime)
        requested = false
        return .report(reason)
    }

    /// Counts a fix that could not be stored as skipped, and asks for the next fix.
    public mutating func notStored() {
        skipped[.notStored, default: 0] += 1
        requested = true
    }

    private mutating func skip(_ reason: SkipReason) -> Decision {
        skipped[reason, default: 0] += 1
        return .skip(reason)
    }

    /// Whether a move within a zone is no news. Before the zones are known, every move may cross a border.
    private var tellsZonesAlone: Bool { settings.disclosure == .zone && !zones.zones.isEmpty }

    private func reason(for fix: Fix, _ now: Moment) -> Reason? {
        guard let last = lastReported else { return .first }
        if requested { return .requested }
        let sinceLast = now.uptime - last.uptime
        let sinceCrossing = lastCrossing.map { now.uptime - $0 } ?? .infinity
        if sinceCrossing >= Self.crossingInterval, zoneID(fix) != zoneID(last.fix) {
            return .zoneCrossed
        }
        let distance = Geodesy.distance(last.fix.coordinate, fix.coordinate)
        if !tellsZonesAlone, distance >= max(settings.minDistance, fix.accuracy) { return .moved }
        if settings.heartbeat > 0, sinceLast >= settings.heartbeat { return .heartbeat }
        return nil
    }

    private func zoneID(_ fix: Fix) -> String? {
        zones.zone(at: fix.coordinate, accuracy: fix.accuracy)?.entityID
    }
}
