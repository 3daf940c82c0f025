/// Relay to which Home Assistant hands a notification that the WebSocket does not take. Home
/// Assistant POSTs the notification to `url`, with `token` in the body (mobile_app/notify.py). Home
/// Assistant takes both or neither.
public struct PushRelay: Equatable, Sendable {
    /// `push_url`: `http` or `https`. It may hold a secret.
    public var url: String
    /// `push_token`: what tells the relay whose the notification is. Secret.
    public var token: String

    public init(url: String, token: String) {
        self.url = url
        self.token = token
    }
}

extension PushRelay: CustomStringConvertible, CustomReflectable {
    /// Description without address and token.
    public var description: String { "PushRelay" }
    /// Mirror without children: a dump shows no secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// `app_data`: what Home Assistant is told of push. It replaces what it had as a whole.
struct AppData: Encodable, Equatable, Sendable {
    private let pushWebsocketChannel = true
    private let pushURL: String?
    private let pushToken: String?
    private let homingRun: String?

    /// - Parameter mark: what this run of the daemon is known by.
    init(_ relay: PushRelay?, mark: String? = nil) {
        homingRun = mark
        pushURL = relay?.url
        pushToken = relay?.token
    }
}
