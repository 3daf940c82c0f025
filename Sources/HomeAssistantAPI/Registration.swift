/// Registration that binds this machine to one Home Assistant; the whole content of
/// `registration.json`.
///
/// Everything in it is secret or leads to a secret: it is never printed whole.
public struct Registration: Codable, Equatable, Sendable {
    /// A network on which the instance URL is reached directly.
    public struct HomeNetwork: Codable, Equatable, Sendable {
        public var ssid: String?
        public var bssid: String?
        /// NetworkManager's `connection.uuid` of a wired connection.
        public var connection: String?

        public init(ssid: String? = nil, bssid: String? = nil, connection: String? = nil) {
            self.ssid = ssid
            self.bssid = bssid
            self.connection = connection
        }

        /// Name by which the network is known.
        public var identifier: String? { ssid ?? bssid ?? connection }
    }

    /// The token that `register` was given, kept for what the webhook cannot do.
    public struct Authorization: Codable, Equatable, Sendable {
        public enum Kind: String, Codable, Sendable {
            /// A long-lived access token.
            case longLived = "long_lived"
            /// A refresh token, bound to `clientID`.
            case refresh
        }

        public var kind: Kind
        public var token: String
        public var clientID: String?
        /// Whether Homing made it, by a login, for this registration: then Homing may revoke it.
        /// `nil` for one that was given.
        public var isOwn: Bool?
        /// Title in Home Assistant of a long-lived token that Homing made; `nil` from an earlier version.
        public var title: String?

        public init(
            kind: Kind, token: String, clientID: String? = nil, isOwn: Bool? = nil,
            title: String? = nil
        ) {
            self.kind = kind
            self.token = token
            self.clientID = clientID
            self.isOwn = isOwn
            self.title = title
        }

        private enum CodingKeys: String, CodingKey {
            case kind
            case token
            case clientID = "client_id"
            case isOwn = "made_by_homing"
            case title
        }
    }

    /// The layout of the file; readers refuse a larger one.
    public static let currentVersion = 2

    public var version = Registration.currentVersion
    /// Address at which Home Assistant itself answers, without a trailing slash.
    public var instanceURL: String
    /// Home Assistant Cloud's own URL for our webhook.
    public var cloudhookURL: String?
    /// Home Assistant Cloud's remote UI, without a trailing slash.
    public var remoteUIURL: String?
    public var webhookID: String
    /// 64 hexadecimal characters; `nil` for a registration in the clear, and where it is missing.
    public var secret: String? { didSet { if secret != nil { sealed = true } } }
    /// Whether Home Assistant gave a secret, wherever that is kept; `nil` from a Homing that did not
    /// note it. In the file of this version it is always there.
    public private(set) var sealed: Bool?
    /// Tells the secret from another one where it is not in the file.
    public var secretFingerprint: String?
    /// Whether the secret was asked for over plain HTTP, where others may have read it or given one
    /// of their own; `nil` for no. The secret of the registration itself came from where the token
    /// went as well, so it is not noted of that.
    public var secretOverPlainHTTP: Bool?
    /// Our stable identity; Home Assistant's device has the identifier `mobile_app/<device_id>`.
    public var deviceID: String
    /// The name people see, from which Home Assistant makes the tracker's entity id.
    public var deviceName: String
    public var homeNetworks: [HomeNetwork]
    public var authorization: Authorization?
    /// Tokens that Homing made for this registration before, to be revoked when Home Assistant has
    /// given a receipt to the present one.
    public var retired: [Authorization]?
    /// Description of this machine that Home Assistant was last told; `nil` where that was not
    /// noted.
    public var told: MachineReport?
    /// The fingerprint of the relay for notifications that Home Assistant was last told; `nil` if it
    /// was told none.
    public var toldRelay: String?
    /// Whether a person chose the name; if not, it follows the machine's. `nil` where that was not
    /// noted.
    public var nameIsChosen: Bool?
    /// The machine that was registered; `nil` where that was not noted.
    public var machine: RegisteredMachine?

    public init(
        instanceURL: String, cloudhookURL: String?, remoteUIURL: String?, webhookID: String,
        secret: String?, deviceID: String, deviceName: String,
        homeNetworks: [HomeNetwork], authorization: Authorization?
    ) {
        self.instanceURL = instanceURL
        self.cloudhookURL = cloudhookURL
        self.remoteUIURL = remoteUIURL
        self.webhookID = webhookID
        self.secret = secret
        sealed = secret != nil
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.homeNetworks = homeNetworks
        self.authorization = authorization
    }

    /// Whether messages are to be sealed. Without the secret nothing may be sent then.
    public var isSealed: Bool { sealed == true || secret != nil || secretFingerprint != nil }

    /// Notes whether it is, for the file.
    public mutating func noteSealed() { sealed = isSealed }

    /// Whether it is sealed, and its secret is not here.
    public var lacksSecret: Bool { isSealed && secret == nil }

    /// Whether what is sealed with the secret proves that Home Assistant made it.
    public var provesHomeAssistant: Bool { secret != nil && secretOverPlainHTTP != true }

    private enum CodingKeys: String, CodingKey {
        case version
        case instanceURL = "instance_url"
        case cloudhookURL = "cloudhook_url"
        case remoteUIURL = "remote_ui_url"
        case webhookID = "webhook_id"
        case secret
        case sealed
        case secretFingerprint = "secret_fingerprint"
        case secretOverPlainHTTP = "secret_over_plain_http"
        case deviceID = "device_id"
        case deviceName = "device_name"
        case homeNetworks = "home_networks"
        case authorization = "auth"
        case retired = "retired_auths"
        case told
        case toldRelay = "told_relay"
        case nameIsChosen = "name_is_chosen"
        case machine
    }
}
