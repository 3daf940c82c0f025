internal import HomingBase

/// The pace of writes that a relay causes: of the ids of messages, and of tokens. Each write wears a
/// memory card, and a relay could send without end.
///
/// Ten writes may follow at once, as for a backlog. After that a write may come every 20 s.
struct WritePace: Equatable, Sendable {
    /// Writes at once.
    static let burst = 10
    /// Seconds for each further write.
    static let interval: Seconds = 20

    /// The uptime at which all writes so far would be done, had each taken its interval.
    private var done: Seconds = 0

    init() {}

    /// Seconds until a write may begin.
    func delay(at now: Seconds) -> Seconds {
        max(0, done - now - Double(Self.burst - 1) * Self.interval)
    }

    /// A write was made.
    mutating func wrote(at now: Seconds) { done = max(now, done) + Self.interval }
}
