public import HomingBase

/// When Home Assistant is told by itself what this machine is now: as soon as that is another than
/// was told. A telling that came to nothing is repeated after an hour, one that was refused after a
/// day.
public struct MachineTelling: Equatable, Sendable {
    static let day: Seconds = 86_400

    private var isUnderWay = false
    private var pacer = Pacer(.doubling(first: 3600, longest: 3600))

    public init() {}

    /// Whether to tell now, if there is something new to tell; `ended` follows.
    public mutating func begin(at now: Moment) -> Bool {
        guard !isUnderWay, pacer.isDue(at: now) else { return false }
        isUnderWay = true
        return true
    }

    /// - Parameter wasRefused: Home Assistant would not take it, rather than not be reached.
    public mutating func ended(told: Bool, wasRefused: Bool, at now: Moment) {
        isUnderWay = false
        if told {
            pacer.succeeded()
        } else if wasRefused {
            pacer.pause(for: Self.day, at: now)
        } else {
            pacer.failed(at: now)
        }
    }
}
