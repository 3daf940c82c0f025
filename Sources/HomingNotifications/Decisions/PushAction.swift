/// What a notification offers to do, as Home Assistant sent it: nothing of it is believed yet.
public struct OfferedAction: Equatable, Sendable {
    public var id: String?
    public var title: String?
    /// `uri`: what choosing it opens.
    public var uri: String?
    /// `behavior: textInput`, or the id `REPLY`.
    public var asksForText: Bool
    public var textButton: String?
    public var textPlaceholder: String?
    public var authenticationRequired: Bool
    public var destructive: Bool
    /// `activationMode: foreground`.
    public var opensHomeAssistant: Bool

    /// Without an id and a title it will be refused.
    public init(
        id: String?, title: String?, uri: String? = nil, asksForText: Bool = false,
        textButton: String? = nil, textPlaceholder: String? = nil,
        authenticationRequired: Bool = false, destructive: Bool = false,
        opensHomeAssistant: Bool = false
    ) {
        self.id = id
        self.title = title
        self.uri = uri
        self.asksForText = asksForText
        self.textButton = textButton
        self.textPlaceholder = textPlaceholder
        self.authenticationRequired = authenticationRequired
        self.destructive = destructive
        self.opensHomeAssistant = opensHomeAssistant
    }
}

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
