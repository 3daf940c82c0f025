public import HomingRuntime
internal import HomingSettings

extension Configuration {
    /// `[log]`: how much is written to the journal.
    public struct Log: Equatable, Sendable {
        /// Less important lines are not written.
        public var level = LogLevel.info
    }

    static let logSection = Section<Configuration>(
        "log", "The journal.",
        [
            Key(
                "level", \.log.level, .choice(LogLevel.allCases, name: \.name),
                "How much is logged. debug names locations; the other levels never do.")
        ])
}
