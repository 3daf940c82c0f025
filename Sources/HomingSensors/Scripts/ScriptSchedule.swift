internal import HomingCore

/// When each script runs next: one at a time, each after its own interval.
struct ScriptSchedule {
    /// Seconds a run may take, unless the script says otherwise.
    static let timeout: Seconds = 10

    private struct Plan {
        var dueAt: Seconds
        var timeout = ScriptSchedule.timeout
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

    /// The running script has ended.
    ///
    /// - Parameters:
    ///   - pause: seconds until its next run.
    ///   - timeout: seconds that one may take; `nil` leaves it as it was.
    mutating func ended(pause: Seconds, timeout: Seconds?, at now: Moment) {
        guard let name = running else { return }
        running = nil
        plans[name]?.dueAt = now.uptime + pause
        if let timeout { plans[name]?.timeout = timeout }
    }

    /// Whether the script was in the folder when that was last looked at.
    func has(_ name: String) -> Bool { plans[name] != nil }

    /// Uptime at which the next one is due; `nil` if none is, or one runs.
    var nextAt: Seconds? { running == nil ? plans.values.map(\.dueAt).min() : nil }
}
