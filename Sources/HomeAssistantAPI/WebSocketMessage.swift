public import HomingJSON

/// Message of Home Assistant over its WebSocket.
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

        /// The result of `webhook/handle`; `nil` for that of another command.
        init?(_ result: JSONValue) {
            guard let status = result["status"]?.whole else { return nil }
            switch result["body"] {
            case .string(let text)?: self.init(status: status, body: Array(text.utf8))
            case nil, .null?: self.init(status: status, body: [])
            default: return nil
            }
        }
    }

    /// Bytes of a message up to which a notification's data is read: longer ones keep their text
    /// alone, since to read a million numbers takes the loop's time.
    public static let dataLimit = 64 << 10

    /// `nil` if it is no JSON object with a `type`, or lacks what its type must have.
    public init?(_ bytes: [UInt8]) {
        guard let message = JSONValue(json: bytes) else { return nil }
        self.init(message, count: bytes.count)
    }

    /// Reads a message that has been parsed.
    ///
    /// - Parameter count: bytes of the message.
    public init?(_ message: JSONValue, count: Int) {
        guard case .string(let type)? = message["type"] else { return nil }
        let id = message["id"]?.whole
        let version = message["ha_version"]?.string ?? ""
        switch (type, id) {
        case ("auth_required", _): self = .authRequired(version: version)
        case ("auth_ok", _): self = .authOK(version: version)
        case ("auth_invalid", _): self = .authInvalid
        case ("pong", let id?): self = .pong(id: id)
        case ("result", let id?): self = Self.result(id, message)
        case ("event", let id?):
            let readsData = count <= Self.dataLimit
            let payload = message["event"].flatMap {
                NotificationPayload($0, readsData: readsData)
            }
            self = payload.map { .notification(subscription: id, $0) } ?? .other
        case ("result", nil), ("event", nil), ("pong", nil): return nil
        default: self = .other
        }
    }

    /// Reads a result. A result of another shape than ours has its use for others.
    private static func result(_ id: Int, _ message: JSONValue) -> WebSocketMessage {
        guard message["success"] == .boolean(true) else {
            let error = message["error"]
            return .refused(
                id: id, code: error?["code"]?.string ?? "unknown_error",
                message: error?["message"]?.string ?? "")
        }
        return .done(id: id, reply: message["result"].flatMap { Reply($0) })
    }
}
