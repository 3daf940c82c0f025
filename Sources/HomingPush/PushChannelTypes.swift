public import HomeAssistantAPI
public import HomingNotifications
internal import HomingRuntime

extension PushChannel {
    /// Event that the channel tells.
    public enum Event: Equatable, Sendable {
        /// A notification or an order that has not come before.
        case content(PushContent, PushOrigin)
        /// `session.state`, `session.problem` or `session.openings` is another one now.
        case changed
        /// The channel's own time has woken the process: others can use the occasion.
        case awake
    }

    /// Handler of the answer to a webhook request over the socket. The answer is `nil` if the
    /// socket ended first; the request may have arrived then.
    public typealias WebhookCompletion = @LoopActor (WebSocketMessage.Reply?) -> Void

    /// Identity of this machine for Home Assistant. Secret: never printed.
    public struct Identity: Equatable, Sendable {
        public var webhookID: String
        /// An access token of the user who registered.
        public var token: String

        public init(webhookID: String, token: String) {
            self.webhookID = webhookID
            self.token = token
        }
    }

    /// Whether an endpoint may be used at this moment.
    public enum Entry: Sendable {
        /// With this token. Secret.
        case token(String)
        /// Refusal, with the reason for people.
        case refused(String)
        /// Lack of a token with what the registration keeps; why, for people.
        case unauthorized(String)
    }
}

extension PushChannel.Identity: CustomStringConvertible, CustomReflectable {
    /// Description without webhook id and token.
    public var description: String { "Identity" }
    /// Mirror without children: a dump shows no secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
