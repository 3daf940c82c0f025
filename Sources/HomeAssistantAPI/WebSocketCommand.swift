internal import HomingJSON

/// Command of a client over Home Assistant's WebSocket (`/api/websocket`). Ids must rise on each
/// connection.
public enum WebSocketCommand: Equatable, Sendable {
    /// The answer to `auth_required`; has no id.
    case authenticate(token: String)
    /// `mobile_app/push_notification_channel`, with confirmations.
    case subscribePush(webhookID: String)
    /// `mobile_app/push_notification_confirm`.
    case confirmPush(webhookID: String, confirmID: String)
    case ping
    /// `webhook/handle`: a webhook request, its body as `WebhookEnvelope` made it.
    case webhook(webhookID: String, body: [UInt8])

    /// The JSON to send.
    public func message(id: Int) -> [UInt8] {
        var message = JSONObjectWriter(capacity: size)
        message.add("type", type)
        if case .authenticate(let token) = self {
            message.add("access_token", token)
            return message.finish()
        }
        message.add("id", id)
        switch self {
        case .authenticate, .ping: break
        case .subscribePush(let webhookID):
            message.add("webhook_id", webhookID)
            message.add("support_confirm", true)
        case .confirmPush(let webhookID, let confirmID):
            message.add("webhook_id", webhookID)
            message.add("confirm_id", confirmID)
        case .webhook(let webhookID, let body):
            message.add("webhook_id", webhookID)
            message.add("method", "POST")
            message.add("body", text: body)
        }
        return message.finish()
    }

    private var type: String {
        switch self {
        case .authenticate: "auth"
        case .subscribePush: "mobile_app/push_notification_channel"
        case .confirmPush: "mobile_app/push_notification_confirm"
        case .ping: "ping"
        case .webhook: "webhook/handle"
        }
    }

    /// Bytes of the message, roughly.
    private var size: Int {
        if case .webhook(_, let body) = self { body.count + 256 } else { 256 }
    }
}

extension WebSocketCommand: CustomStringConvertible, CustomReflectable {
    /// Description without token and webhook id.
    public var description: String {
        switch self {
        case .authenticate: "authenticate"
        case .subscribePush: "subscribePush"
        case .confirmPush: "confirmPush"
        case .ping: "ping"
        case .webhook: "webhook"
        }
    }
    /// Mirror without children: a dump shows no secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
