public import HomingBase
internal import HomingSettings

extension Configuration {
    /// `[outbox]`: what waits for delivery.
    public struct Outbox: Equatable, Sendable {
        /// Failures that the queue survives.
        public enum Durability: String, CaseIterable, Sendable {
            /// Positions that Home Assistant answers are written to disk in groups.
            case grouped
            /// Everything is on disk before it is sent.
            case powerLoss = "power-loss"
            /// New rows wait in memory for up to a minute.
            case crash
        }

        /// MiB, 1…1024.
        public var maxSize = 32
        /// Failures that the queue survives.
        public var durability = Durability.grouped
        /// Seconds; 0 is never.
        public var queueTTL: Seconds = 0

        /// Whether a daemon that runs with other settings must start again.
        public func needsRestart(after old: Outbox) -> Bool {
            maxSize != old.maxSize || durability != old.durability
        }
    }

    static let outboxSection = Section<Configuration>(
        "outbox", "The queue of reports that are not delivered yet.",
        [
            Key(
                "max_size", \.outbox.maxSize, .number(1...1024, unit: "MiB"),
                """
                Maximum size of the queue; 32 hold about 380 000 locations. A full queue drops the \
                oldest locations, then the oldest events.
                """),
            Key(
                "durability", \.outbox.durability, .choice(),
                """
                What the queue survives. No value loses anything when Homing is killed. grouped \
                writes locations that Home Assistant answers to disk every 10 s. A power cut can take \
                those locations. homing status shows how many at most. power-loss writes to disk before \
                anything is sent. crash writes what is not delivered within a minute. A power cut \
                can take the last minute.
                """),
            Key(
                "queue_ttl", \.outbox.queueTTL,
                .number(3600...31_536_000, unit: "seconds", zero: "never"),
                "Reports that have waited longer than this are dropped; 604800 is a week."),
        ])
}
