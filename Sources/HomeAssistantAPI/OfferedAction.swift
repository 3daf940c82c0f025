internal import HomingJSON

/// Action that a notification offers, as Home Assistant sent the action: nothing of the action is
/// believed yet.
public struct OfferedAction: Equatable, Sendable {
    /// Sent back; `URI` only opens, `REPLY` asks for text.
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

    /// Makes an action. Without an id and a title it will be refused.
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

extension OfferedAction {
    /// An action of a notification's, or of a category's.
    init(_ value: JSONValue) {
        let id = (value["action"] ?? value["identifier"])?.text
        self.init(
            id: id, title: value["title"]?.text, uri: (value["uri"] ?? value["url"])?.text,
            asksForText: id == "REPLY" || value["behavior"]?.text?.lowercased() == "textinput",
            textButton: value["textInputButtonTitle"]?.text,
            textPlaceholder: value["textInputPlaceholder"]?.text,
            authenticationRequired: value["authenticationRequired"]?.isTrue ?? false,
            destructive: value["destructive"]?.isTrue ?? false,
            opensHomeAssistant: value["activationMode"]?.text?.lowercased() == "foreground")
    }
}
