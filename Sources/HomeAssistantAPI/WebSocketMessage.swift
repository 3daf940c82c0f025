internal import FoundationEssentials

/// What Home Assistant says over its WebSocket.
public enum WebSocketMessage: Equatable, Sendable {
    /// The first word of a connection.
    case authRequired(version: String)
    case authOK(version: String)
    /// The token is refused; the connection is closed next.
    case authInvalid
    /// A command was done; `reply` is that of `webhook/handle`.
    case done(id: Int, reply: Reply?)
    /// A command was not done.
    case refused(id: Int, code: String, message: String)
    case pong(id: Int)
    /// A notification; `subscription` is the id of the command that subscribed.
    case notification(subscription: Int, NotificationPayload)
    /// Anything else Home Assistant may say.
    case other

    /// The answer to a webhook request that went over the WebSocket.
    public struct Reply: Equatable, Sendable {
        /// HTTP's, such as 200.
        public var status: Int
        /// Empty where Home Assistant has `null`.
        public var body: [UInt8]

        public init(status: Int, body: [UInt8]) {
            self.status = status
            self.body = body
        }
    }

    /// Bytes of a message up to which a notification's data is read: longer ones keep their text
    /// alone, since to read a million numbers takes the loop's time.
    public static let dataLimit = 64 << 10

    /// `nil` if it is no JSON object with a `type`, or lacks what its type must have.
    public init?(_ bytes: [UInt8]) {
        let decoder = JSONDecoder()
        if bytes.count > Self.dataLimit { decoder.userInfo[.leavesOutData] = true }
        guard let wire = try? decoder.decode(Wire.self, from: Data(bytes)) else { return nil }
        switch (wire.type, wire.id) {
        case ("auth_required", _): self = .authRequired(version: wire.version ?? "")
        case ("auth_ok", _): self = .authOK(version: wire.version ?? "")
        case ("auth_invalid", _): self = .authInvalid
        case ("pong", let id?): self = .pong(id: id)
        case ("result", let id?): self = wire.result(id)
        case ("event", let id?):
            self = wire.event.map { .notification(subscription: id, $0) } ?? .other
        case ("result", nil), ("event", nil), ("pong", nil): return nil
        default: self = .other
        }
    }

    private struct Wire: Decodable {
        let type: String
        let id: Int?
        let version: String?
        let success: Bool?
        let error: Failure?
        let reply: HandledWebhook?
        let event: NotificationPayload?

        struct Failure: Decodable {
            var code: String?
            var message: String?
        }

        /// The result of `webhook/handle`.
        struct HandledWebhook: Decodable {
            var status: Int
            var body: String?
        }

        enum CodingKeys: String, CodingKey {
            case type
            case id
            case version = "ha_version"
            case success
            case error
            case reply = "result"
            case event
        }

        /// What is of another shape than ours has its use for others.
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            type = try container.decode(String.self, forKey: .type)
            id = try? container.decode(Int.self, forKey: .id)
            version = try? container.decode(String.self, forKey: .version)
            success = try? container.decode(Bool.self, forKey: .success)
            error = try? container.decode(Failure.self, forKey: .error)
            reply = try? container.decode(HandledWebhook.self, forKey: .reply)
            event =
                type == "event"
                ? try? container.decode(NotificationPayload.self, forKey: .event) : nil
        }

        func result(_ id: Int) -> WebSocketMessage {
            guard success == true else {
                return .refused(
                    id: id, code: error?.code ?? "unknown_error", message: error?.message ?? "")
            }
            let reply = reply.map { Reply(status: $0.status, body: Array(($0.body ?? "").utf8)) }
            return .done(id: id, reply: reply)
        }
    }
}
