public import HomingBase

/// Schedule by which the daemon registers again by itself (`reregister = auto`). The daemon does so
/// while Home Assistant is there and no longer takes our messages.
///
/// One try at a time. Where Home Assistant could not be reached, the next follows after a minute,
/// then two, up to an hour. A refusal is repeated after a day: only a person can correct it, and each
/// may count towards a ban of this machine's address (Home Assistant's `ip_ban`). A registration
/// that worked is not repeated within an hour, whatever is said of it.
public struct Reregistration: Sendable {
    public enum Effect: Equatable, Sendable {
        /// Register; `ended` follows.
        case register
        /// Call `timer(at:)` at this uptime.
        case wake(at: Seconds)
    }

    /// Outcome of a try.
    public enum Outcome: Sendable {
        case registered
        /// Failure to reach anybody, or another registration was under way.
        case unreachable
        case refused
    }

    static let refusedDelay: Seconds = 24 * 3600
    static let registeredDelay: Seconds = 3600

    private var isWanted = false
    private var isUnderWay = false
    private var pacer = Pacer(.doubling(first: 60, longest: 3600))

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
            pacer.succeeded()
            pacer.pause(for: Self.registeredDelay, at: now)
        case .unreachable: pacer.failed(at: now)
        case .refused: pacer.pause(for: Self.refusedDelay, at: now)
        }
        return proceed(now)
    }

    /// The time of a `wake` has come, or passed.
    public mutating func timer(at now: Moment) -> [Effect] { proceed(now) }

    /// Uptime of the next try; `nil` while none is wanted, and while one is under way.
    public var nextTry: Seconds? { isWanted && !isUnderWay ? pacer.notBefore : nil }

    /// A person registered: what was tried before says nothing of this registration.
    public mutating func registeredByHand() { pacer.succeeded() }

    private mutating func proceed(_ now: Moment) -> [Effect] {
        guard isWanted, !isUnderWay else { return [] }
        guard pacer.isDue(at: now) else { return [.wake(at: pacer.notBefore)] }
        isUnderWay = true
        return [.register]
    }
}
