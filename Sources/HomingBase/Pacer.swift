/// Times at which a thing that failed is tried again: the wait after each failure, until the thing
/// succeeds.
///
/// Times are uptimes.
public struct Pacer: Equatable, Sendable {
    /// The waits, one for each failure.
    public enum Rhythm: Equatable, Sendable {
        /// `first`, then twice as long each time, at most `longest`.
        case doubling(first: Seconds, longest: Seconds)
        /// `quick` in the first `patience` seconds of failing, as a service is probably being started
        /// again; then `slow`, as the machine may never have had it.
        case patient(quick: Seconds, patience: Seconds, slow: Seconds)
        /// A time by chance ("full jitter"): at least a second, at most half of the time that it has
        /// failed for, and never more than `longest`.
        case outage(longest: Seconds)
        /// These in turn, then by chance one of the range.
        case steps([Seconds], then: ClosedRange<Seconds>)

        /// Rhythm for a service on this machine: every 4 s for 2 minutes, then every 60 s.
        public static let reconnecting = patient(quick: 4, patience: 120, slow: 60)
    }

    private let rhythm: Rhythm
    private var random: SeededRandom
    private var failures = 0
    private var failingSince: Seconds?
    /// The time before which it is not tried.
    public private(set) var notBefore: Seconds = 0

    /// - Parameter seed: of the rhythms that go by chance.
    public init(_ rhythm: Rhythm, seed: UInt64 = 0) {
        self.rhythm = rhythm
        random = SeededRandom(seed: seed)
    }

    /// Whether it may be tried.
    public func isDue(at now: Moment) -> Bool { now.uptime >= notBefore }

    /// Whether the last wait was one of the steps.
    public var isStepping: Bool {
        guard case .steps(let steps, _) = rhythm else { return false }
        return failures > 0 && failures <= steps.count
    }

    /// Notes a failure; returns the seconds until the next try.
    @discardableResult public mutating func failed(at now: Moment) -> Seconds {
        fails(at: now)
        let wait = wait(failingFor: now.uptime - (failingSince ?? now.uptime))
        failures = min(failures + 1, Self.mostFailures)
        pause(for: wait, at: now)
        return wait
    }

    /// Notes that the thing fails, if not by this try: the outage has begun by now.
    public mutating func fails(at now: Moment) { failingSince = failingSince ?? now.uptime }

    /// Pauses the tries for so many seconds, for a reason other than a failure.
    public mutating func pause(for seconds: Seconds, at now: Moment) {
        notBefore = now.uptime + seconds
    }

    /// Lets the next pauses be the longest.
    public mutating func slowDown() { failures = Self.mostFailures }

    /// Notes that the thing works: the next failure is a first failure.
    public mutating func succeeded() {
        failures = 0
        failingSince = nil
        notBefore = 0
    }

    /// More doublings, or steps, than any rhythm has.
    private static let mostFailures = 40

    private mutating func wait(failingFor time: Seconds) -> Seconds {
        switch rhythm {
        case .doubling(let first, let longest):
            return min(first * Double(1 << failures), longest)
        case .patient(let quick, let patience, let slow):
            return time < patience ? quick : slow
        case .outage(let longest):
            return Seconds.random(in: 1...max(1, min(time / 2, longest)), using: &random)
        case .steps(let steps, let range):
            if failures < steps.count { return steps[failures] }
            return Seconds.random(in: range, using: &random)
        }
    }
}
