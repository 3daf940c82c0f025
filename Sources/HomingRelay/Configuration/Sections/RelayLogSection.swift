public import HomingRuntime
internal import HomingSettings

extension RelayConfiguration {
    /// `[log]`: how much is written to the journal.
    public struct Log: Equatable, Sendable {
        public var level = LogLevel.info

        /// All defaults.
        public init() {}
    }

    static let logSection = Section<RelayConfiguration>(
        "log", "The journal.",
        [
            Key(
                "level", \.log.level, .choice(LogLevel.allCases, name: \.name),
                """
                How much is logged. No level tells what a notification says, a token, a code or an \
                address of a client.
                """)
        ])
}
