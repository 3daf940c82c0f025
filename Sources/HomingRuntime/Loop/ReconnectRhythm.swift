public import HomingBase

/// When to try again to reach a service that is away: soon at first, because it is probably being
/// restarted, then seldom, because the machine may never have had it.
public struct ReconnectRhythm: Equatable, Sendable {
    /// Seconds between tries at first.
    public let quick: Seconds
    /// Seconds of failing after which tries get seldom.
    public let patience: Seconds
    /// Seconds between tries from then on.
    public let slow: Seconds
    /// The uptime of the first failure since the service was last well.
    private var failingSince: Seconds?

    /// By default every 4 s for 2 minutes, then every 60 s.
    public init(quick: Seconds = 4, patience: Seconds = 120, slow: Seconds = 60) {
        self.quick = quick
        self.patience = patience
        self.slow = slow
    }

    /// Notes a failure and answers how many seconds to wait before the next try.
    public mutating func failed(at now: Moment) -> Seconds {
        let since = failingSince ?? now.uptime
        failingSince = since
        return now.uptime - since < patience ? quick : slow
    }

    /// The service is well: its next failure is a first one.
    public mutating func settled() { failingSince = nil }
}

extension Watch {
    /// The longest wait that is kept to the millisecond; a longer one wakes with other timers.
    private static let exactWait: Seconds = 10

    /// Fires once, after the wait a `ReconnectRhythm` gave.
    public static func retry(
        after seconds: Seconds, _ handler: @escaping @LoopActor () -> Void
    ) -> Watch {
        let once: @LoopActor () -> Next = {
            handler()
            return .done
        }
        return seconds > exactWait ? slowTimer(seconds, once) : timer(seconds, once)
    }
}
