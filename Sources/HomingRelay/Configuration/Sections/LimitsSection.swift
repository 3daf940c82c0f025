internal import HomingSettings

extension RelayConfiguration {
    /// `[limits]`: what a device, an address and all together may have.
    public struct Limits: Equatable, Sendable {
        /// Notifications of a device and day; 0 is any number.
        public var maximum = 150
        /// Commands and critical notifications of a device and day; 0 is any number.
        public var commands = 1500
        /// Posts for a device at once; 0 is any number.
        public var burst = 200
        /// Messages that wait for a device.
        public var messages = 200
        /// KiB of the messages that wait for a device.
        public var mailboxKiB = 512
        /// MiB of requests that are not answered yet.
        public var memory = 64
        public var connections = 100_000
        public var perAddress = 64

        /// All defaults.
        public init() {}
    }

    static let limitsSection = Section<RelayConfiguration>(
        "limits", "What a machine, an address, and all of them together may have.",
        [
            Key(
                "maximum", \.limits.maximum, .number(1...100_000, zero: "any number"),
                """
                Notifications for one machine and day of UTC. Further notifications are refused, \
                and the machine gets a notice once a day.
                """),
            Key(
                "commands", \.limits.commands, .number(1...100_000, zero: "any number"),
                """
                Commands and critical notifications that a machine may be sent in a day; these do \
                not count as notifications.
                """),
            Key(
                "burst", \.limits.burst, .number(1...100_000, zero: "any number"),
                """
                Notifications that may come for a machine at once; after that it may have 10 a second. \
                Those beyond are refused without a look at the store.
                """),
            Key(
                "messages", \.limits.messages, .number(1...10_000),
                """
                Messages that wait for a machine. Beyond this number the oldest are dropped, and \
                the machine gets a notice with their number.
                """),
            Key(
                "mailbox_kib", \.limits.mailboxKiB, .number(128...65_536, unit: "KiB"),
                "Size of all messages that wait for a machine. Beyond it, the oldest are dropped."),
            Key(
                "memory", \.limits.memory, .number(1...4096, unit: "MiB"),
                "Size of all unanswered requests. Further requests get 503, and may be repeated."
            ),
            Key(
                "connections", \.limits.connections, .number(16...1_000_000),
                """
                Connections in all, of Home Assistant and of machines. The system's own limit of open \
                files (LimitNOFILE=) has to be larger.
                """),
            Key(
                "per_address", \.limits.perAddress, .number(1...1_000_000),
                """
                Connections of one address, or of one IPv6 network of 64 bits. Trusted proxies may \
                have any number.
                """),
        ])
}
