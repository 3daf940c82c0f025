public import HomingJSON

/// Makes the body of a webhook request: sealed if the registration has a secret, else in the clear.
///
/// There is no way from a sealed registration to a clear body: whoever holds a sealer seals.
public struct WebhookEnvelope {
    private let sealer: (any Sealer)?

    /// Whether what it makes is sealed.
    public var seals: Bool { sealer != nil }

    /// - Parameter sealer: `nil` for a registration without a secret.
    public init(sealer: (any Sealer)?) {
        self.sealer = sealer
    }

    /// The JSON to POST. Throws only if a number in it is not finite, which valid values exclude.
    public func body(for request: WebhookRequest) throws -> [UInt8] {
        let data = try request.data()
        // The type and Base64 need no quoting.
        var body: [UInt8] = []
        body.reserveCapacity(96 + (sealer?.sealedSize(data.count) ?? data.count))
        body += "{\"type\":\"".utf8
        body += request.type.utf8
        if let sealer {
            body += "\",\"encrypted\":true,\"encrypted_data\":\"".utf8
            sealer.appendSealed(data, to: &body)
            body += "\"}".utf8
        } else {
            body += "\",\"data\":".utf8
            body += data
            body += "}".utf8
        }
        return body
    }

    /// Opens and reads a reply's body. No other code parses a reply: parsing is most of the cost.
    public func contents(of body: [UInt8]) -> WebhookReply {
        if body.isEmpty { return .empty }
        if body.elementsEqual("{}".utf8) { return .emptyObject }
        guard let value = JSONValue(json: body) else { return .other }
        switch value {
        case .object(let members):
            if case .boolean(let isSealed)? = members["encrypted"],
                case .string(let content)? = members["encrypted_data"]
            {
                guard isSealed, let opened = sealer?.open(content) else { return .other }
                return JSONValue(json: opened).map { .opened($0) } ?? .unreadable
            }
            return sealer == nil ? .opened(value) : .plainObject(value)
        // A list in the clear is what some commands answer to a registration without a secret.
        case .array where sealer == nil: return .opened(value)
        default: return .other
        }
    }
}

/// The body of a reply.
public enum WebhookReply: Equatable, Sendable {
    /// 0 bytes.
    case empty
    /// `{}`.
    case emptyObject
    /// Some other JSON object in the clear, to a registration that seals: an error's words.
    case plainObject(JSONValue)
    /// Home Assistant's reply, opened; for a registration without a secret, as it came.
    case opened(JSONValue)
    /// Sealed with our key, but not JSON within the limits.
    case unreadable
    /// Anything else: HTML, JSON that is no object, sealed with another key.
    case other
}
