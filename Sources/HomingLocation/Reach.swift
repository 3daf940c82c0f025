internal import HomingBase

/// A fix, when it came, and how fast the machine may have been there.
struct SeenFix: Sendable {
    let fix: Fix
    let uptime: Seconds
    /// Metres a second: what the receiver says, or what the way from the fix before implies.
    var speed: Double

    /// A fix that nothing is known before.
    init(_ fix: Fix, at now: Moment) {
        self.fix = fix
        uptime = now.uptime
        speed = fix.speed ?? 0
    }

    /// The same fix, reached from another.
    func reached(from earlier: SeenFix) -> SeenFix {
        let way = Reach(from: earlier, to: self)
        var seen = self
        seen.speed = max(way.claimedSpeed ?? 0, way.speed)
        return seen
    }
}

/// The way from one fix to a later one, and whether a machine can have made it.
struct Reach {
    /// Metres: two fixes that are no further apart agree, whatever radii they claim.
    static let noise = 50.0
    /// Metres a second: so fast may any machine have been, without saying so.
    static let unseenSpeed = 10.0
    /// Times the speed that is known.
    static let margin = 1.5
    /// Metres a second per second: a speed that grew faster comes from the place, not from motion.
    static let acceleration = 20.0
    /// Metres a second, an airliner's with a tailwind.
    static let fastest = 300.0
    /// Metres a second: so much may the speed of two ways differ beyond the margin.
    static let speedChange = 40.0
    /// Seconds for which two speeds of zero say what happened between them.
    static let wordOfSpeed: Seconds = 60

    private let earlier: SeenFix
    private let later: SeenFix
    /// Metres beyond both radii.
    let distance: Double
    /// Seconds, one at least.
    private let elapsed: Seconds

    init(from earlier: SeenFix, to later: SeenFix) {
        self.earlier = earlier
        self.later = later
        let radii = max(Self.noise, earlier.fix.accuracy + later.fix.accuracy)
        distance = max(
            0, Geodesy.distance(earlier.fix.coordinate, later.fix.coordinate) - radii)
        let byReceiver = later.fix.time - earlier.fix.time
        elapsed = max(1, byReceiver > 0 ? byReceiver : later.uptime - earlier.uptime)
    }

    /// Metres a second that the way takes at least.
    var speed: Double { distance / elapsed }

    /// The later fix's own speed, as far as it can have been reached.
    var claimedSpeed: Double? {
        later.fix.speed.map { min($0, earlier.speed + Self.acceleration * elapsed) }
    }

    /// Whether a machine can have made this way that may have moved meanwhile.
    var isPossible: Bool {
        if distance == 0 { return true }
        if receiverSaysStill { return false }
        return speed <= Self.margin * max(Self.unseenSpeed, earlier.speed, claimedSpeed ?? 0)
    }

    /// The same for a machine that stood still until a moment ago: only its own speed now counts.
    var isPossibleFromRest: Bool {
        if distance == 0 { return true }
        guard let claimedSpeed, claimedSpeed >= MotionGate.movingSpeed else { return false }
        return speed <= Self.margin * claimedSpeed
    }

    /// Whether anything that carries a receiver can have made this way, and gone on at a speed that is
    /// alike: at an airliner's speed, wild fixes of two moments agree by chance.
    func isPossibleByAir(before next: Reach?) -> Bool {
        guard speed <= Self.fastest else { return false }
        guard let next else { return true }
        let (slower, faster) = (min(speed, next.speed), max(speed, next.speed))
        return faster <= Self.margin * slower + Self.speedChange
    }

    private var receiverSaysStill: Bool {
        guard let speed = later.fix.speed, earlier.fix.speed != nil else { return false }
        return max(speed, earlier.speed) < MotionGate.movingSpeed && elapsed <= Self.wordOfSpeed
    }
}
