public import HomingBase

/// When the daemon registers again by itself (`reregister = auto`), while Home Assistant is there and
/// no longer takes our messages.
///
/// One try at a time. Where Home Assistant could not be reached, the next follows after a minute,
/// then two, up to an hour. A refusal is repeated after a day: only a person can mend it, and each
/// may count towards a ban of this machine's address (Home Assistant's `ip_ban`). A registration
/// that worked is not repeated within an hour, whatever is said of it.
public struct Reregistration: Sendable {
    public enum Effect: Equatable, Sendable {
        /// Register; `ended` follows.
        case register
        /// Call `timer(at:)` at this uptime.
        case wake(at: Seconds)
    }

    /// How a try ended.
    public enum Outcome: Sendable {
        case registered
        /// Nobody was reached, or another registration was under way.
        case unreachable
        case refused
    }

    static let firstDelay: Seconds = 60
    static let maxDelay: Seconds = 3600
    static let refusedDelay: Seconds = 24 * 3600
    static let registeredDelay: Seconds = 3600

    private var isWanted = false
    private var isUnderWay = false
    private var delay = Reregistration.firstDelay
    /// Uptime before which nothing is tried.
    private var notBefore: Seconds = 0

    public init() {}

    /// Whether the registration is lost and may be replaced without asking.
    public mutating func wanted(_ isWanted: Bool, at now: Moment) -> [Effect] {
        if self.isWanted == isWanted { return [] }
        self.isWanted = isWanted
        return proceed(now)
    }

    /// The try that `register` asked for has ended.
    public mutating func ended(_ outcome: Outcome, at now: Moment) -> [Effect] {
        isUnderWay = false
        switch outcome {
        case .registered:
            delay = Self.firstDelay
            notBefore = now.uptime + Self.registeredDelay
        case .unreachable:
            notBefore = now.uptime + delay
            delay = min(delay * 2, Self.maxDelay)
        case .refused: notBefore = now.uptime + Self.refusedDelay
        }
        return proceed(now)
    }

    /// The time of a `wake` has come, or passed.
    public mutating func timer(at now: Moment) -> [Effect] { proceed(now) }

    /// A person registered: what was tried before says nothing of this registration.
    public mutating func registeredByHand() {
        delay = Self.firstDelay
        notBefore = 0
    }

    private mutating func proceed(_ now: Moment) -> [Effect] {
        guard isWanted, !isUnderWay else { return [] }
        guard now.uptime >= notBefore else { return [.wake(at: notBefore)] }
        isUnderWay = true
        return [.register]
    }
}
