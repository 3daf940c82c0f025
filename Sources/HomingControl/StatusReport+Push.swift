/// The channel by which notifications arrive.
extension StatusReport {
    public struct Push: Codable, Equatable, Sendable {
        /// `open`, `connecting`, `waiting`, `off`, `asleep` or `stopped`.
        public var state: String
        /// Why it is not open.
        public var problem: String?
        /// `instance` or `remote_ui`: the way in use, or the last.
        public var way: String?
        /// Seconds for which it has been open.
        public var openFor: Double?
        /// Seconds until it is tried again.
        public var nextAttempt: Double?
        public var lastMessage: Double?
        /// When Home Assistant last took a confirmation of ours.
        public var lastConfirmed: Double?
        /// Notifications that were shown since the start.
        public var shown: Int
        /// Those that were too many at once, and are in a summary.
        public var folded: Int
        /// Those that came a second time, and were not shown again.
        public var duplicates: Int
        /// Why the desktop did not show the last one.
        public var desktopProblem: String?
        /// The helpers in people's sessions; `nil` where the daemon has a desktop of its own, and from
        /// one that is older than this.
        public var helpers: [Helper]?
        /// Why no helper's desktop is in use, if there is none.
        public var absence: String?

        public init(
            state: String, problem: String? = nil, way: String? = nil, openFor: Double? = nil,
            nextAttempt: Double? = nil, lastMessage: Double? = nil, lastConfirmed: Double? = nil,
            shown: Int = 0, folded: Int = 0, duplicates: Int = 0, desktopProblem: String? = nil
        ) {
            self.state = state
            self.problem = problem
            self.way = way
            self.openFor = openFor
            self.nextAttempt = nextAttempt
            self.lastMessage = lastMessage
            self.lastConfirmed = lastConfirmed
            self.shown = shown
            self.folded = folded
            self.duplicates = duplicates
            self.desktopProblem = desktopProblem
        }

        /// A helper in somebody's session.
        public struct Helper: Codable, Equatable, Sendable {
            public var user: String
            public var version: String
            /// Whether its desktop is the one that shows notifications now.
            public var inUse: Bool
            /// Notifications that wait for an answer there.
            public var shown: Int

            public init(user: String, version: String, inUse: Bool, shown: Int) {
                self.user = user
                self.version = version
                self.inUse = inUse
                self.shown = shown
            }
        }
    }
}
