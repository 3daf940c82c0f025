internal import HomingBase
public import HomingMachine
internal import HomingSettings

extension Configuration {
    /// `[thrift]`: saving data where it is paid for by the megabyte.
    public struct Thrift: Equatable, Sendable {
        public var mode = ThriftMode.off
        /// Megabytes (1 000 000 bytes) of a month; 0: no budget.
        public var budget = 0
        /// `nil`: no quiet hours.
        public var quiet: QuietHours?
    }

    static let thriftSection = Section<Configuration>(
        "thrift",
        """
        Saving data, for a connection that is paid for by the megabyte. The page data says what is \
        saved, and how much that is.
        """,
        [
            Key(
                "mode", \.thrift.mode, .choice(),
                """
                When data is saved: auto (on a network that NetworkManager calls metered, and on a \
                battery below 20 %), on (always) or off. While data is saved, locations, \
                heartbeats and sensors are reported less often. On a metered network the push \
                channel is closed then. Events, answers and zone crossings are never delayed.
                """),
            Key(
                "budget", \.thrift.budget, .number(1...1_000_000, unit: "MB a month", zero: "none"),
                """
                How much data may be used in a calendar month: with auto on metered networks, with \
                on altogether. For each day's share that was used too early, all intervals double, \
                up to 16 times. When the budget is used up, only events, answers and zone \
                crossings are sent.
                """),
            Key(
                "quiet", \.thrift.quiet, .quietHours,
                """
                Quiet hours of each day, such as 22:00-07:00 in this machine's time zone. While \
                data is saved, only events, answers and zone crossings are sent in quiet hours. \
                The rest is sent afterwards. Nothing: no quiet hours.
                """),
        ])
}

extension Kind where Value == QuietHours? {
    static let quietHours = Kind(
        "two times such as 22:00-07:00, or nothing",
        read: { (raw) throws(Refusal) -> QuietHours? in
            let text = try raw.text()
            if text.isEmpty { return nil }
            guard let hours = QuietHours(text) else {
                throw Refusal("\(quoted(text)) is not two different times such as 22:00-07:00")
            }
            return hours
        },
        write: { $0?.text ?? "" })
}
