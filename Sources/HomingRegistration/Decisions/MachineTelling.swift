public import HomingBase

/// When Home Assistant is told by itself what this machine is now: as soon as that is another than
/// was told. A telling that came to nothing is repeated after an hour, one that was refused after a
/// day.
public struct MachineTelling: Equatable, Sendable {
    static let pause: Seconds = 3600
    static let day: Seconds = 86_400

    private var isUnderWay = false
    private var notBefore: Seconds = 0

    public init() {}

    /// Whether to tell now, if there is something new to tell; `ended` follows.
    public mutating func begin(at now: Moment) -> Bool {
        guard !isUnderWay, now.uptime >= notBefore else { return false }
        isUnderWay = true
        return true
    }

    /// - Parameter wasRefused: Home Assistant would not take it, rather than not be reached.
    public mutating func ended(told: Bool, wasRefused: Bool, at now: Moment) {
        isUnderWay = false
        notBefore = told ? 0 : now.uptime + (wasRefused ? Self.day : Self.pause)
    }
}
