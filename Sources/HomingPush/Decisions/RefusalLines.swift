public import HomingBase

/// Limits the journal to one line a minute about refused messages, so that an attacker who writes into
/// the relay's store cannot fill the journal.
public struct RefusalLines: Equatable, Sendable {
    /// Seconds between two lines.
    static let pause: Seconds = 60

    /// Uptime of the last line.
    private var last: Seconds?
    /// Refused messages without a line since then.
    private var unnoted = 0

    public init() {}

    /// The line for a refused message; `nil` if there is to be no line now. The next line counts it.
    ///
    /// - Parameter reason: for people, without the message's content.
    public mutating func line(_ reason: String, at now: Moment) -> String? {
        if let last, now.uptime < last + Self.pause {
            unnoted += 1
            return nil
        }
        let more = unnoted > 0 ? " (and \(unnoted) more before)" : ""
        (last, unnoted) = (now.uptime, 0)
        return "a message of the relay was refused: \(reason)\(more)"
    }
}
