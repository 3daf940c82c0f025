internal import HomingBase

/// Decides when systemd is told the line for `systemctl status`. Each line wakes systemd. So a line in
/// which only numbers differ waits for a minute: a queue grows and empties every few seconds.
struct StatusLinePolicy {
    enum Answer: Equatable {
        case tell(String)
        case wait
        case same
    }

    /// Seconds between two lines in which only numbers differ.
    static let numbersPause: Seconds = 60

    private var told = ""
    private var toldAt: Seconds = -.infinity

    /// - Parameter now: uptime.
    mutating func considerStatusLine(_ line: String, at now: Seconds) -> Answer {
        if line == told { return .same }
        if Self.words(line) == Self.words(told), now < toldAt + Self.numbersPause { return .wait }
        (told, toldAt) = (line, now)
        return .tell(line)
    }

    private static func words(_ line: String) -> [UInt8] {
        line.utf8.filter { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
