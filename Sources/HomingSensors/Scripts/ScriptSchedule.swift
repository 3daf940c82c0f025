internal import HomingBase

/// Times at which the scripts run next: one script at a time, each after its own interval. After a
/// fault a script runs sooner, as the fault may be over in a minute.
struct ScriptSchedule {
    /// Failures running after which a script's sensors are unavailable.
    static let strikes = 3
    /// Seconds between the retries of one that keeps failing; more if its interval is longer.
    private static let longestRetry: Seconds = 900

    /// Seconds a run may take, unless the script says otherwise.
    static let timeout: Seconds = 10

    private struct Plan {
        var dueAt: Seconds
        var timeout = ScriptSchedule.timeout
        /// Interval that the script asked for when it last worked.
        var interval: Seconds?
        /// Running.
        var failures = 0
        /// A day is the longest interval.
        var pacer = Pacer(.doubling(first: 60, longest: 86_400))
    }

    private var plans: [String: Plan] = [:]
    private(set) var running: String?

    /// Takes what is in the folder now; a new script is due at once.
    ///
    /// - Returns: those that were there before and are no more, sorted.
    mutating func update(_ names: [String], at now: Moment) -> [String] {
        let gone = plans.keys.filter { !names.contains($0) }.sorted()
        for name in gone { plans[name] = nil }
        for name in names where plans[name] == nil { plans[name] = Plan(dueAt: now.uptime) }
        return gone
    }

    /// The script to run now, if it is time for one; it counts as running from here on.
    mutating func start(at now: Moment) -> (name: String, timeout: Seconds)? {
        guard running == nil else { return nil }
        let due = plans.filter { $0.value.dueAt <= now.uptime }
        // Who has waited longest; of equals, the first by name.
        let next = due.min { ($0.value.dueAt, $0.key) < ($1.value.dueAt, $1.key) }
        guard let next else { return nil }
        running = next.key
        return (next.key, next.value.timeout)
    }

    /// The running script has ended as it should.
    ///
    /// - Parameters:
    ///   - pause: seconds until its next run.
    ///   - timeout: seconds that one may take; `nil` leaves it as it was.
    /// - Returns: how often it had failed before, running.
    @discardableResult mutating func ended(
        pause: Seconds, timeout: Seconds?, at now: Moment
    ) -> Int {
        guard let name = running else { return 0 }
        running = nil
        let failures = plans[name]?.failures ?? 0
        plans[name]?.failures = 0
        plans[name]?.pacer.succeeded()
        plans[name]?.interval = pause
        plans[name]?.dueAt = now.uptime + pause
        if let timeout { plans[name]?.timeout = timeout }
        return failures
    }

    /// The running script has failed: it is tried again after 1, 2, 4… min, the first two times at
    /// most after its interval.
    ///
    /// - Parameter interval: seconds between two runs of one that has named no other.
    /// - Returns: how often running.
    mutating func failed(interval: Seconds, at now: Moment) -> Int {
        guard let name = running else { return 0 }
        running = nil
        guard var plan = plans[name] else { return 0 }
        plan.failures += 1
        let usual = plan.interval ?? interval
        let limit = plan.failures < Self.strikes ? usual : max(usual, Self.longestRetry)
        plan.dueAt = now.uptime + min(plan.pacer.failed(at: now), limit)
        plans[name] = plan
        return plan.failures
    }

    /// Whether the script was in the folder when that was last looked at.
    func has(_ name: String) -> Bool { plans[name] != nil }

    /// Uptime at which the next one is due; `nil` if none is, or one runs.
    var nextAt: Seconds? { running == nil ? plans.values.map(\.dueAt).min() : nil }
}
