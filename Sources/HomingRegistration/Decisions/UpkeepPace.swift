public import HomingBase

/// Pace at which Homing asks or tells Home Assistant something by itself: as soon as there is a
/// reason. A try that came to nothing is repeated after an hour, a refused try after a day.
public struct UpkeepPace: Equatable, Sendable {
    /// Outcome of a try.
    public enum Outcome: Sendable {
        case done
        /// Lack of an answer, or what came of it is not known.
        case unanswered
        /// Home Assistant would not.
        case refused
        /// Home Assistant cannot do this. The next try is after a start of the daemon or a new
        /// registration.
        case impossible
    }

    static let day: Seconds = 86_400

    private var isUnderWay = false
    private var pacer = Pacer(.doubling(first: 3600, longest: 3600))

    public init() {}

    /// Whether it may be done now.
    public func isDue(at now: Moment) -> Bool { !isUnderWay && pacer.isDue(at: now) }

    /// Whether to do it now, if there is a reason; `ended` follows.
    public mutating func begin(at now: Moment) -> Bool {
        guard isDue(at: now) else { return false }
        isUnderWay = true
        return true
    }

    /// Notes what came of it, whoever did it.
    public mutating func ended(_ outcome: Outcome, at now: Moment) {
        isUnderWay = false
        switch outcome {
        case .done: pacer.succeeded()
        case .unanswered: pacer.failed(at: now)
        case .refused: pacer.pause(for: Self.day, at: now)
        case .impossible: pacer.pause(for: .infinity, at: now)
        }
    }
}
