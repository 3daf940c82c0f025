/// A button of a notification: an offered action that passed `ActionPolicy`.
public struct PushAction: Equatable, Codable, Sendable {
    /// Sent back to Home Assistant as it came.
    public let id: String
    /// Title of the button.
    public let title: String
    /// Link that the choice of the button opens.
    public internal(set) var opens: Link?
    /// Whether Home Assistant is told of the choice; `URI` only opens.
    public let fires: Bool
    public let text: TextEntry?
    /// Holds the choice until the session is unlocked.
    public let authenticationRequired: Bool
    public let destructive: Bool

    /// Entry in which a person types the text.
    public struct TextEntry: Equatable, Codable, Sendable {
        public let button: String?
        public let placeholder: String?
    }
}
