public import HomingBase

/// Lets the receiver sleep while the machine stands still.
///
/// gpsd powers a receiver down when nobody watches it. So while the place does not change the watch
/// is closed, and opened again every `stillInterval` for one good fix or 20 s.
public struct MotionGate: Sendable {
    public enum Effect: Equatable, Sendable {
        /// Watch gpsd.
        case watch
        /// Close the watch.
        case rest
        /// Call `timer(at:)` at this uptime.
        case wake(at: Seconds)
    }

    private enum State: Sendable {
        /// Moving, or not yet known to be still.
        case watching
        /// Still; the watch opens again at this uptime.
        case resting(until: Seconds)
        /// Still; the watch is open for one good fix, until this uptime.
        case peeking(until: Seconds)
    }

    /// Seconds in one place after which the machine is called still.
    static let settlingTime: Seconds = 60
    /// Seconds a watch may take to give one good fix.
    static let peekTime: Seconds = 20
    /// Metres a second above which a machine moves, whatever its place says.
    static let movingSpeed = 1.0

    /// Seconds; 0 keeps the watch open.
    public var stillInterval: Seconds
    /// Metres; the accuracy counts instead where it is larger.
    public var minDistance: Double
    private var state = State.watching
    /// Uptime at which a fix last said that the machine stands still.
    private var seenStill: Seconds?
    /// Location of the machine, and the uptime since which the machine has been there.
    private var anchor: (place: Coordinate, since: Seconds)?

    public init(stillInterval: Seconds, minDistance: Double) {
        self.stillInterval = stillInterval
        self.minDistance = minDistance
    }

    /// Whether the machine is thought to stand still.
    public var isStill: Bool {
        if case .watching = state { false } else { true }
    }

    /// Whether each look until now has found it standing still. Not after a look
    /// without a fix, nor after a night's sleep.
    public func knowsStill(at now: Moment) -> Bool {
        guard isStill, let seenStill else { return false }
        return now.uptime - seenStill <= stillInterval + 2 * Self.peekTime
    }

    /// A good fix came in.
    public mutating func fix(_ fix: Fix, at now: Moment) -> [Effect] {
        guard stillInterval > 0 else { return [] }
        if moves(fix) {
            anchor = (fix.coordinate, now.uptime)
            state = .watching
            return []
        }
        switch state {
        case .watching:
            guard let anchor, now.uptime - anchor.since >= Self.settlingTime else { return [] }
        case .peeking: break
        case .resting: return []
        }
        seenStill = now.uptime
        return rest(now)
    }

    /// Somebody wants to know now, or the world changed (resume, another network).
    public mutating func wanted(at now: Moment) -> [Effect] {
        isStill ? peek(now) : []
    }

    /// A fix came in that others must confirm. It may be the first of a journey, and a tunnel may
    /// follow: the look goes on until there is a good fix, or the held one is dropped.
    public mutating func doubted(at now: Moment) -> [Effect] {
        isStill ? peek(now, for: HeldFixes.patience) : []
    }

    /// The time of a `wake` has come, or passed.
    public mutating func timer(at now: Moment) -> [Effect] {
        if stillInterval == 0, isStill {
            // The configuration has changed: the receiver stays on from now on.
            state = .watching
            return [.watch]
        }
        switch state {
        case .watching: return []
        case .resting(let until):
            return now.uptime >= until ? peek(now) : [.wake(at: until)]
        case .peeking(let until):
            return now.uptime >= until ? rest(now) : [.wake(at: until)]
        }
    }

    private func moves(_ fix: Fix) -> Bool {
        guard let anchor else { return true }
        if let speed = fix.speed, speed >= Self.movingSpeed { return true }
        return Geodesy.distance(anchor.place, fix.coordinate) >= max(minDistance, fix.accuracy)
    }

    private mutating func rest(_ now: Moment) -> [Effect] {
        let until = now.uptime + stillInterval
        state = .resting(until: until)
        return [.rest, .wake(at: until)]
    }

    private mutating func peek(_ now: Moment, for seconds: Seconds = Self.peekTime) -> [Effect] {
        var until = now.uptime + seconds
        if case .peeking(let earlier) = state { until = max(until, earlier) }
        state = .peeking(until: until)
        return [.watch, .wake(at: until)]
    }
}
