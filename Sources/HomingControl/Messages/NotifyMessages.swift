/// The newest notifications since the daemon started, the oldest first.
public struct NotificationsReport: Codable, Equatable, Sendable {
    public struct Notification: Codable, Equatable, Sendable {
        /// Seconds since 1970.
        public var time: Double
        /// The name of the home that sent the notification; `nil` if no home did.
        public var home: String?
        /// `home_assistant`, `homing`, or `person` for somebody at this machine.
        public var sender: String
        public var title: String?
        /// The subtitle and the message; a long text is cut.
        public var message: String
        /// `desktop`, `journal` or `folded`.
        public var shown: String
        /// The titles of the buttons; `nil` without a button.
        public var buttons: [String]?
        /// The title of the button that a person pressed last.
        public var answer: String?

        public init(
            time: Double, home: String?, sender: String, title: String?, message: String,
            shown: String, buttons: [String]?, answer: String?
        ) {
            (self.time, self.home, self.sender, self.title) = (time, home, sender, title)
            (self.message, self.shown, self.buttons, self.answer) = (
                message, shown, buttons, answer
            )
        }
    }

    public var notifications: [Notification]
    /// Whether the machine reports to several homes.
    public var isOfSeveralHomes: Bool

    public init(_ notifications: [Notification], isOfSeveralHomes: Bool) {
        self.notifications = notifications
        self.isOfSeveralHomes = isOfSeveralHomes
    }

    private enum CodingKeys: String, CodingKey {
        case notifications
        case isOfSeveralHomes = "several_homes"
    }
}

/// The result of `receive_notification`.
public struct ReceiveResult: Codable, Equatable, Sendable {
    /// Whether it had come before, by the WebSocket or by the relay.
    public var wasKnown: Bool

    public init(wasKnown: Bool) { self.wasKnown = wasKnown }

    private enum CodingKeys: String, CodingKey { case wasKnown = "was_known" }
}

/// The result of `refresh_notifications`.
public struct RefreshResult: Codable, Equatable, Sendable {
    /// Number of usable categories. `nil` where Home Assistant's `ios` integration, which has the
    /// categories, is not set up, or not yet.
    public var categories: Int?
    /// Faults of other categories, in sentences.
    public var problems: [String]
    /// Number of earlier categories, kept until Home Assistant has said twice that there are none.
    public var kept: Int

    public init(categories: Int?, problems: [String], kept: Int = 0) {
        self.categories = categories
        self.problems = problems
        self.kept = kept
    }
}

/// The result of `notify`.
public struct NotifyResult: Codable, Equatable, Sendable {
    public enum Outcome: String, Codable, Sendable {
        case desktop
        /// Entry in the journal; unless a person without rights sent the notification, the hook
        /// runs as well.
        case journal
        /// Place in a summary, as there were too many at once.
        case folded
        /// Another one took its place, or it was cleared, before it was shown.
        case replaced
        /// Command, which was run or refused as the journal says.
        case order
    }

    public var outcome: Outcome
    /// Reason why the desktop did not show the notification.
    public var problem: String?
    /// Faults in the notification's data, in sentences.
    public var remarks: [String]

    public init(_ outcome: Outcome, problem: String? = nil, remarks: [String] = []) {
        self.outcome = outcome
        self.problem = problem
        self.remarks = remarks
    }
}
