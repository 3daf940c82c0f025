/// The relay, which brings notifications while Home Assistant's channel is not open.
extension StatusReport {
    public struct Relay: Codable, Equatable, Sendable {
        /// The relay's.
        public var host: String?
        /// The name of the relay.
        public var name: String?
        /// `held`, `looking`, `connecting`, `waiting`, `resting`, `asleep`, `off`, or `configured`: a relay
        /// that `[push] url` names, which is not Homing's.
        public var state: String
        /// `auto`, `hold`, `look` or `off`.
        public var mode: String?
        /// The reason why there is no connection.
        public var problem: String?
        /// Seconds for which it has been connected.
        public var openFor: Double?
        /// Seconds until the relay is tried again.
        public var nextAttempt: Double?
        /// Seconds for which every attempt has failed.
        public var failingFor: Double?
        /// The last time that the relay was reached, in seconds since 1970.
        public var lastReached: Double?
        public var lastMessage: Double?
        /// Messages that came since the start.
        public var messages = 0
        /// Messages that came again, and were not shown again.
        public var duplicates = 0
        /// Messages that were not taken: not by this relay or front, of another mailbox, replayed or
        /// expired.
        public var refused = 0
        /// Messages that are no notifications, and were passed over.
        public var others = 0
        /// Orders that `[push] relay_commands` does not permit.
        public var refusedOrders = 0
        /// Messages that the relay or the front dropped, by its notices: too many waited, or they were
        /// too old.
        public var dropped = 0
        /// Notifications that the relay had for this machine today when it told that; `nil` where that
        /// was on another day.
        public var today: Int?
        /// Seconds since the relay told that.
        public var todayAge: Double?
        /// Notifications a day; 0 for any number.
        public var maximum: Int?
        /// Seconds by which the relay's clock is ahead of this machine's.
        public var clockOffset: Double?
        /// Whether Home Assistant knows of the relay.
        public var told = false
        /// `nil` if Home Assistant sends to the relay itself.
        public var front: Front?

        /// The front, which seals at home what Home Assistant sends.
        public struct Front: Codable, Equatable, Sendable {
            public var host: String?
            /// Fingerprint of the key by which the front signs: 8 groups of 4 hexadecimal digits.
            public var fingerprint: String?
            /// Whether the front knows the present token of the relay.
            public var told = false
            /// The reason why the front was not told at the last try; `nil` if it was.
            public var problem: String?

            public init() {}
        }

        public init(state: String) { self.state = state }
    }
}

extension StatusReport.Relay {
    /// Whether notifications come by the relay.
    public var brings: Bool {
        ["held", "looking", "resting"].contains(state) && lastReached != nil && failingFor == nil
    }
}

extension StatusReport.Push {
    /// State for people of a channel that is not open.
    public var closedState: String {
        switch state {
        case "asleep": "closed for sleep"
        case _ where relay?.brings == true: "by the relay only"
        case "off": "off"
        default: "not connected"
        }
    }
}
