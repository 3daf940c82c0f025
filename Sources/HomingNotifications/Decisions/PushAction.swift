/// A button of a notification: an offered action that passed `ActionPolicy`.
public struct PushAction: Equatable, Codable, Sendable {
    /// Sent back to Home Assistant as it came.
    public let id: String
    /// What the button says.
    public let title: String
    /// What choosing it opens.
    public internal(set) var opens: Link?
    /// Whether Home Assistant is told of the choice; `URI` only opens.
    public let fires: Bool
    public let text: TextEntry?
    /// Holds the choice until the session is unlocked.
    public let authenticationRequired: Bool
    public let destructive: Bool

    /// How the text is asked for.
    public struct TextEntry: Equatable, Codable, Sendable {
        public let button: String?
        public let placeholder: String?
    }
}
