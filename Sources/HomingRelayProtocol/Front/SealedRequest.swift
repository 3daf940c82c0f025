public import HomingBase
internal import HomingCrypto
internal import HomingJSON

/// A front's post to the far relay: a box for a device, with the facts for the relay's decisions.
/// Names are blind, and the far relay does not have their key.
public struct SealedRequest: Equatable, Sendable {
    /// Bytes of a body.
    public static let limit = (FrontBox.limit + 2) / 3 * 4 + (4 << 10)
    /// Bytes of a name.
    private static let nameLimit = 64

    /// The far relay's token of the device, not checked yet.
    public let token: String
    public let box: FrontBox
    /// Seconds that the message has waited at the front.
    public let waited: Seconds
    /// Seconds until the message expires.
    public let life: Seconds
    public let kind: PushRequest.Kind
    /// The front's blind name of the tag.
    public let tag: String?
    /// The front's blind name of the message: equal for two posts of the message.
    public let confirmID: String
    /// Whether the message only takes a notification back.
    public let isClearing: Bool

    public init(
        token: String, box: FrontBox, waited: Seconds, life: Seconds, kind: PushRequest.Kind,
        tag: String?, confirmID: String, isClearing: Bool
    ) {
        self.token = token
        self.box = box
        self.waited = min(max(0, waited), PushRequest.longestLife)
        self.life = min(max(0, life), PushRequest.longestLife)
        self.kind = kind
        self.tag = tag
        self.confirmID = confirmID
        self.isClearing = isClearing
    }

    /// Reads the body of a POST.
    public init(body: [UInt8]) throws(RelayRefusal) {
        let value = try JSONValue(posted: body, within: JSONLimits(bytes: Self.limit, depth: 32))
        guard let token = value[PostedToken.name]?.string, !token.isEmpty else { throw .noToken }
        guard let bytes = value["box"]?.string.flatMap({ URLBase64.bytes(of: $0) }),
            let box = FrontBox(bytes: bytes), let waited = value["waited"]?.number,
            let life = value["life"]?.number, let confirmID = Self.name(value["confirm"])
        else { throw .wrongBox }
        let hasTag = value["tag"] ?? .null != .null
        let tag = Self.name(value["tag"])
        guard !hasTag || tag != nil else { throw .wrongBox }
        self.init(
            token: token, box: box, waited: waited, life: life,
            kind: value["free"] == .boolean(true) ? .free : .notification, tag: tag,
            confirmID: confirmID, isClearing: value["clearing"] == .boolean(true))
    }

    private static func name(_ value: JSONValue?) -> String? {
        guard let text = value?.string, (1...nameLimit).contains(text.utf8.count) else {
            return nil
        }
        return text
    }

    /// The body of a POST.
    public var body: [UInt8] {
        var members: [String: JSONValue] = [
            PostedToken.name: .string(token), "box": .string(URLBase64.text(of: box.bytes)),
            "waited": .number(waited), "life": .number(life), "confirm": .string(confirmID),
            "free": .boolean(kind == .free), "clearing": .boolean(isClearing),
        ]
        members["tag"] = tag.map { .string($0) }
        return Array(JSONValue.object(members).json().utf8)
    }
}

extension SealedRequest: NeverPrinted {}
