/// The front of a machine's relay: it runs beside Home Assistant, and seals what Home Assistant posts. All
/// of it but the address and the key is secret.
public struct RelayFront: Codable, Equatable, Sendable {
    /// The front's address, as this machine reaches it at home; without the paths of the protocol.
    public var url: String
    /// The address to which Home Assistant posts.
    public var pushURL: String
    /// The token that Home Assistant posts with each notification.
    public var token: String
    /// The keys that open what the front sealed, as those of a membership.
    public var parcelKeys: [String: String]
    /// The key that verifies the front's signatures: 64 hexadecimal characters.
    public let verifyKey: String
    /// Seconds since 1970 at which the front was last told the present token of the far relay; `nil` as
    /// long as the front does not know that token.
    public var toldAt: Double?

    public init(
        url: String, pushURL: String, token: String, parcelKeys: [String: String],
        verifyKey: String, toldAt: Double? = nil
    ) {
        self.url = url
        self.pushURL = pushURL
        self.token = token
        self.parcelKeys = parcelKeys
        self.verifyKey = verifyKey
        self.toldAt = toldAt
    }

    private enum CodingKeys: String, CodingKey {
        case url, token
        case pushURL = "push_url"
        case parcelKeys = "parcel_keys"
        case verifyKey = "verify_key"
        case toldAt = "told_at"
    }
}

extension RelayFront: CustomStringConvertible, CustomReflectable {
    /// Description without address, token and keys.
    public var description: String { "RelayFront" }
    /// Mirror without children: a dump shows no secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
