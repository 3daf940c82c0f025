internal import HomingBase
public import HomingCrypto
internal import HomingJSON

/// A device's request for a token.
public struct JoinRequest: Equatable, Sendable {
    /// Bytes of a body.
    public static let limit = 4096
    /// Bytes of a code.
    public static let codeLimit = 64

    private static let limits = JSONLimits(bytes: limit, depth: 32, values: 1024)

    /// The public key of the device.
    public let publicKey: PublicKey
    /// The code of an invitation. Secret.
    public let code: String?

    public init(publicKey: PublicKey, code: String?) {
        self.publicKey = publicKey
        self.code = code
    }

    /// Reads the body of a POST. An empty code is read as `nil`. Throws `.codeWrong` for a code of
    /// more than `codeLimit` bytes, `.badKey` for a missing or unusable key.
    public init(body: [UInt8]) throws(RelayRefusal) {
        let value = try JSONValue(posted: body, within: Self.limits)
        let key = value["public"]?.string.flatMap { URLBase64.bytes(of: $0) }
        guard let key = key.flatMap({ PublicKey($0) }), key.isUsable else { throw .badKey }
        let code = value["code"]?.text.flatMap { $0.isEmpty ? nil : $0 }
        guard code?.utf8.count ?? 0 <= Self.codeLimit else { throw .codeWrong }
        self.init(publicKey: key, code: code)
    }

    /// The body of a POST.
    public var body: [UInt8] {
        var members = ["public": JSONValue.string(URLBase64.text(of: publicKey.bytes))]
        members["code"] = code.map { .string($0) }
        return Array(JSONValue.object(members).json().utf8)
    }
}

extension JoinRequest: NeverPrinted {}

/// A relay's answer to a device that joins.
public struct JoinAnswer: Equatable, Sendable {
    /// Bytes of a body that is read.
    public static let limit = 16 << 10

    /// The grant with the token, sealed for the device; see `ParcelOpener.grant(_:)`. No other
    /// member holds the token, as the request may name the public key of another device.
    public let sealed: [UInt8]
    /// Limit of notifications a day; 0 for no limit.
    public let maximum: Int
    /// The relay's name for people.
    public let name: String?
    /// The URL to which Home Assistant posts.
    public let pushURL: String
    /// Relay that has the device's mailbox, if this relay is a front.
    public let front: FrontOffer?

    public init(
        sealed: [UInt8], maximum: Int, name: String?, pushURL: String, front: FrontOffer? = nil
    ) {
        self.sealed = sealed
        self.maximum = maximum
        self.name = name
        self.pushURL = pushURL
        self.front = front
    }

    /// `nil` if the body is not an answer, or lacks a member. The texts are as they came, and nobody
    /// has checked the signature of the offer.
    public init?(body: [UInt8]) {
        let limits = JSONLimits(bytes: Self.limit, depth: 32)
        guard let value = try? JSON.value(of: body, within: limits),
            let sealed = value["sealed"]?.string.flatMap({ URLBase64.bytes(of: $0) }),
            let maximum = value["maximum"]?.whole, maximum >= 0,
            let pushURL = value["push_url"]?.string
        else { return nil }
        let offer = value["front"].flatMap { FrontOffer($0) }
        if value["front"] ?? .null != .null, offer == nil { return nil }
        self.init(
            sealed: sealed, maximum: maximum, name: value["name"]?.string?.bounded(Bound.name),
            pushURL: pushURL, front: offer)
    }

    /// Whether the front that the offer names made the answer, for that device.
    public func isSigned(for device: PublicKey) -> Bool {
        front?.isSigned(for: device, pushURL: pushURL, sealed: sealed) ?? false
    }

    var members: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "sealed": .string(URLBase64.text(of: sealed)), "maximum": .whole(maximum),
            "push_url": .string(pushURL),
        ]
        members["name"] = name.map { .string($0) }
        members["front"] = front?.json
        return members
    }
}

extension JoinAnswer: NeverPrinted {}
