/// The result of `receive_notification`.
public struct ReceiveResult: Codable, Equatable, Sendable {
    /// Whether it had come before, by the WebSocket or by the relay.
    public var wasKnown: Bool

    public init(wasKnown: Bool) { self.wasKnown = wasKnown }

    private enum CodingKeys: String, CodingKey { case wasKnown = "was_known" }
}

/// The result of `refresh_notifications`.
public struct RefreshResult: Codable, Equatable, Sendable {
    /// How many categories can be used; `nil` where Home Assistant's `ios` integration, which has
    /// them, is not set up, or not yet.
    public var categories: Int?
    /// What is wrong with others, in sentences.
    public var problems: [String]
    /// How many of before are kept until Home Assistant has said twice that it has none.
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
        /// In the journal; unless a person without rights sent it, the hook is told as well.
        case journal
        /// There were too many at once: it is in a summary.
        case folded
        /// Another one took its place, or it was cleared, before it was shown.
        case replaced
        /// It was an order, which was carried out or refused as the journal says.
        case order
    }

    public var outcome: Outcome
    /// Why the desktop did not show it.
    public var problem: String?
    /// What was wrong with its data, in sentences.
    public var remarks: [String]

    public init(_ outcome: Outcome, problem: String? = nil, remarks: [String] = []) {
        self.outcome = outcome
        self.problem = problem
        self.remarks = remarks
    }
}
