public import HomeAssistantAPI

/// The membership of this machine in the relay that it joined. All of it but the address is secret.
public struct RelayMembership: Codable, Equatable, Sendable {
    /// Version of the file.
    public static let currentVersion = 2

    /// 1 for a relay alone; 2 with a front: a Homing that knows no fronts would have Home Assistant post
    /// to the far relay, which must not read what is posted.
    public private(set) var version: Int
    /// The address of the relay that has the mailbox, as this machine reaches it; without the paths of
    /// the protocol.
    public var url: String
    /// The address at which that relay takes posts. Home Assistant posts there if there is no front.
    public var pushURL: String
    /// The token that goes with each post there.
    public var token: String
    /// The secret half of this machine's key pair: 64 hexadecimal characters.
    public var secretKey: String
    /// The keys that open what is sealed under the relay's keys, by the ids of those: 64 hexadecimal
    /// characters each.
    public var parcelKeys: [String: String]
    /// Notifications a day; 0 for any number.
    public var maximum: Int
    /// The name of the relay.
    public var name: String?
    /// The front, which seals at home what Home Assistant posts, and forwards it to the relay above.
    public var front: RelayFront? { didSet { version = Self.version(with: front) } }

    public init(
        url: String, pushURL: String, token: String, secretKey: String,
        parcelKeys: [String: String], maximum: Int, name: String?, front: RelayFront? = nil
    ) {
        version = Self.version(with: front)
        self.url = url
        self.pushURL = pushURL
        self.token = token
        self.secretKey = secretKey
        self.parcelKeys = parcelKeys
        self.maximum = maximum
        self.name = name
        self.front = front
    }

    private static func version(with front: RelayFront?) -> Int {
        front == nil ? 1 : currentVersion
    }

    /// The relay as Home Assistant is told of it: the front, if there is one.
    public var relay: PushRelay {
        PushRelay(url: front?.pushURL ?? pushURL, token: front?.token ?? token)
    }

    /// The address that a person joined: the front's, if there is one.
    public var joinedURL: String { front?.url ?? url }

    private enum CodingKeys: String, CodingKey {
        case version, url, token, maximum, name, front
        case pushURL = "push_url"
        case secretKey = "secret_key"
        case parcelKeys = "parcel_keys"
    }
}

extension RelayMembership: CustomStringConvertible, CustomReflectable {
    /// Description without address, token and keys.
    public var description: String { "RelayMembership" }
    /// Mirror without children: a dump shows no secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
