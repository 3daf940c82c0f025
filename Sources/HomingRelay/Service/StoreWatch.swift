internal import HomingRuntime

/// Tells the log that the store fails, and that it works again: at most once in ten minutes, however
/// often the one follows the other.
@LoopActor final class StoreWatch {
    /// Seconds for which a failure keeps the relay unready. A balancer sends no posts to a relay that is
    /// not ready, and only a post can show that the store works again.
    static let unreadiness: Seconds = 10

    /// Time when the last operation failed; `nil` if the last operation worked.
    private var failedAt: Seconds?
    /// Operations that failed since the log was told that the store works.
    private var failures = 0
    private var lastTold: Seconds = -.infinity
    /// Whether the log was told of the present failure.
    private var isTold = false
    private let clock: any Clockwork
    private let tell: @LoopActor (String, Bool) -> Void

    /// Seconds after which the log is told again.
    static let pause: Seconds = 600

    /// - Parameter tell: gets the line for the log, and whether the line is of a failure.
    init(
        _ clock: any Clockwork,
        tell: @escaping @LoopActor (String, Bool) -> Void = { line, isFailure in
            if isFailure { Log.error(line) } else { Log.notice(line) }
        }
    ) {
        self.clock = clock
        self.tell = tell
    }

    /// Whether the last operation failed.
    var isFailing: Bool { failedAt != nil }

    /// Whether posts may come: the last operation worked, or its failure is old.
    var isReady: Bool {
        guard let failedAt else { return true }
        return clock.now().uptime - failedAt >= Self.unreadiness
    }

    /// An operation failed.
    func failed(_ reason: String) {
        failures += 1
        let now = clock.now().uptime
        failedAt = now
        guard now - lastTold >= Self.pause else { return }
        (lastTold, isTold) = (now, true)
        tell("the store fails, and senders get 503: \(reason)", true)
    }

    /// An operation was done.
    func worked() {
        failedAt = nil
        guard isTold else { return }
        tell("the store works again; \(failures) operations had failed", false)
        (failures, isTold) = (0, false)
    }
}
