internal import HomingJSON

/// What a client says over Home Assistant's WebSocket (`/api/websocket`). Ids must rise on each
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
        // Strings, numbers and booleans alone: nothing in it can fail to be encoded.
        (try? JSON.bytes(wire(id), names: .snakeCase)) ?? []
    }

    private func wire(_ id: Int) -> Wire {
        switch self {
        case .authenticate(let token):
            Wire(type: "auth", accessToken: token)
        case .subscribePush(let webhookID):
            Wire(
                type: "mobile_app/push_notification_channel", id: id, webhookID: webhookID,
                supportConfirm: true)
        case .confirmPush(let webhookID, let confirmID):
            Wire(
                type: "mobile_app/push_notification_confirm", id: id, webhookID: webhookID,
                confirmID: confirmID)
        case .ping:
            Wire(type: "ping", id: id)
        case .webhook(let webhookID, let body):
            Wire(
                type: "webhook/handle", id: id, webhookID: webhookID, method: "POST",
                body: String(decoding: body, as: UTF8.self), query: "",
                headers: ["Content-Type": "application/json"])
        }
    }

    /// What is absent is left out.
    private struct Wire: Encodable {
        var type: String
        var id: Int?
        var accessToken: String?
        var webhookID: String?
        var supportConfirm: Bool?
        var confirmID: String?
        var method: String?
        var body: String?
        var query: String?
        var headers: [String: String]?
    }
}

extension WebSocketCommand: CustomStringConvertible, CustomReflectable {
    /// Without token and webhook id.
    public var description: String {
        switch self {
        case .authenticate: "authenticate"
        case .subscribePush: "subscribePush"
        case .confirmPush: "confirmPush"
        case .ping: "ping"
        case .webhook: "webhook"
        }
    }
    /// Nothing to look at.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
