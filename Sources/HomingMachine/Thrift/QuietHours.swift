public import HomingBase

/// Hours of each day in which only what is urgent is sent: `22:00-07:00`.
public struct QuietHours: Equatable, Sendable {
    /// Seconds since midnight.
    public let begin: Int
    /// Seconds since midnight; the quiet hours end before this.
    public let end: Int

    /// - Parameters: seconds since midnight, below 86 400. `nil` if both are the same.
    public init?(begin: Int, end: Int) {
        guard begin != end, (0..<86_400).contains(begin), (0..<86_400).contains(end) else {
            return nil
        }
        self.begin = begin
        self.end = end
    }

    /// Reads `22:00-07:00`; `nil` if the text has another form.
    public init?(_ text: String) {
        let times = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.seconds)
        guard times.count == 2, let begin = times[0], let end = times[1] else { return nil }
        self.init(begin: begin, end: end)
    }

    /// `7:00` or `07:00`.
    private static func seconds(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 3600 + minute * 60
    }

    /// Whether the time of day is within the quiet hours.
    public func contains(_ time: CalendarTime) -> Bool {
        let now = time.secondOfDay
        return begin < end ? (begin..<end).contains(now) : now >= begin || now < end
    }

    /// Seconds until the quiet hours begin or end, by a day of 24 hours.
    public func secondsToChange(from time: CalendarTime) -> Seconds {
        let waits = [begin, end].map { ($0 - time.secondOfDay + 86_400) % 86_400 }
        return Seconds(waits.filter { $0 > 0 }.min() ?? 86_400)
    }

    /// The time at which the quiet hours end: `07:00`.
    public var endText: String { Self.text(end) }

    /// `22:00-07:00`.
    public var text: String { "\(Self.text(begin))-\(Self.text(end))" }

    private static func text(_ seconds: Int) -> String {
        [seconds / 3600, seconds / 60 % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }
}
