public import HomeAssistantAPI

/// `homing register`, `homing registration` and what is like them.
extension ControlCommand {
    public struct Register: Codable, Equatable, Sendable {
        /// Home Assistant's address; `nil` for that of the registration to replace.
        public var url: String?
        /// A long-lived access token; `nil` for that of the registration to replace.
        public var token: String?
        /// Client to which a refresh token is bound.
        public var clientID: String?
        /// Whether Homing made the token by a login: then it may be revoked.
        public var tokenIsOwn: Bool
        /// Title in Home Assistant of a token that Homing made.
        public var tokenTitle: String?
        public var deviceName: String?
        /// Replace the registration there is, keeping identity and queue.
        public var again: Bool
        /// Take an identity of its own, as a new device, and leave the registration there is to the
        /// machine that has it too.
        public var new: Bool
        /// Identity of the device that a command registered a moment ago. A daemon that started meanwhile
        /// registers that device again, unless its own registration keeps its identity. `nil`: the daemon
        /// chooses.
        public var deviceID: String?
        /// Register although Home Assistant has a device of another name with this machine's identity.
        public var takesDevice: Bool?
        /// Whether to record the present network as a home network; `nil` to do so where there is no
        /// other home.
        public var homeNetwork: Bool?
        public var allowUnencrypted: Bool
        public var allowPlainHTTP: Bool

        public init(
            url: String?, token: String?, clientID: String? = nil, tokenIsOwn: Bool = false,
            tokenTitle: String? = nil, deviceName: String?, again: Bool, new: Bool = false,
            takesDevice: Bool? = nil,
            homeNetwork: Bool? = nil, allowUnencrypted: Bool, allowPlainHTTP: Bool
        ) {
            self.url = url
            self.token = token
            self.clientID = clientID
            self.tokenIsOwn = tokenIsOwn
            self.tokenTitle = tokenTitle
            self.deviceName = deviceName
            self.again = again
            self.new = new
            self.takesDevice = takesDevice
            self.homeNetwork = homeNetwork
            self.allowUnencrypted = allowUnencrypted
            self.allowPlainHTTP = allowPlainHTTP
        }

        /// The same, where it does not say whether to record the network.
        public func recordingNetwork(unasked: Bool) -> Register {
            var params = self
            params.homeNetwork = homeNetwork ?? unasked
            return params
        }
    }
}

/// The result of `register`.
public struct RegisterResult: Codable, Equatable, Sendable {
    public var deviceName: String
    public var encrypted: Bool
    /// The network that was recorded as home, in people's words.
    public var home: String?
    /// Reason why nothing can be sent from the present network, in people's words.
    public var noEndpoint: String?
    /// A token that Homing made for the registration before stays in Home Assistant, as it cannot be
    /// revoked by this one.
    public var leavesToken = false
    /// Whether Home Assistant had the device, while this home had no registration of it.
    public var hadDevice: Bool?

    public init(deviceName: String, encrypted: Bool, home: String?, noEndpoint: String? = nil) {
        self.deviceName = deviceName
        self.encrypted = encrypted
        self.home = home
        self.noEndpoint = noEndpoint
    }
}

/// The result of `unregister`.
public struct UnregisterResult: Codable, Equatable, Sendable {
    /// Fate of the token in Home Assistant.
    public enum Token: String, Codable, Sendable {
        case revoked
        /// Token that was given: the token is not Homing's to revoke.
        case given
        /// Homing made it and could not revoke it.
        case left
        /// Another machine uses it: it is not this machine's to revoke.
        case shared
        /// Absence of a registration, and so of a token.
        case absent
    }

    public var token: Token
    /// Reason why the token was left, for people.
    public var reason: String?
    /// The device's name; `nil` where the name is not known.
    public var deviceName: String?
    /// Titles of Homing's tokens in Home Assistant; `nil` where a title is not known.
    public var tokenTitle: String?
    /// Whether Home Assistant did not know the registration; `nil` where nobody noticed that.
    public var isUnknown: Bool?

    public init(
        _ token: Token, reason: String? = nil, deviceName: String? = nil,
        tokenTitle: String? = nil, isUnknown: Bool? = nil
    ) {
        self.token = token
        self.tokenTitle = tokenTitle
        self.reason = reason
        self.deviceName = deviceName
        self.isUnknown = isUnknown
    }

    /// Text that tells people the result.
    public var text: String {
        let name = deviceName.map { " \($0)" } ?? ""
        let device =
            isUnknown == true
            ? "Home Assistant did not know the registration: the device\(name) was deleted there, "
                + "another daemon uses the device, or Home Assistant was starting. Delete no device that still reports"
            : "The device\(name) is still in Home Assistant. If no other daemon reports as this device, delete the device: "
                + "Settings, Devices & services, Mobile App"
        switch token {
        case .revoked: return "The registration is deleted, and its token is revoked. \(device)."
        case .given:
            return
                "The registration is deleted. \(device). If no other machine or daemon uses its access token, delete the token in your profile, Security."
        case .left:
            let why = reason.map { " (\($0))" } ?? ""
            return
                "The registration is deleted. Its token could not be revoked\(why): delete "
                + "\(tokenWords) \(device)."
        case .shared:
            return
                "The registration is deleted here. The device and its token stay: they are another machine's."
        case .absent: return "There was no registration."
        }
    }
}

extension UnregisterResult {
    /// The token in Home Assistant, and where the token is.
    private var tokenWords: String {
        let place = "in your profile, Security."
        if let tokenTitle { return "\(tokenTitle) \(place)" }
        return
            "\"Homing on \(deviceName ?? "…")\" \(place) The token may have an earlier name of the device."
    }
}

/// The result of `registration` and `update_registration`: the registration without what is secret
/// in it.
public struct RegistrationReport: Codable, Equatable, Sendable {
    /// Facts about this machine that Home Assistant was told.
    public struct Machine: Codable, Equatable, Sendable {
        public var appVersion: String
        public var manufacturer: String
        public var model: String
        public var osVersion: String
    }

    /// Owner of the registration.
    public enum Standing: String, Codable, Sendable {
        case own
        /// Another machine's: nothing is sent.
        case moved
        /// A marked image's: this machine becomes a device of its own.
        case copied
    }

    public var deviceName: String
    public var deviceID: String
    /// Home Assistant's address.
    public var instanceURL: String
    public var encrypted: Bool
    /// Whether Home Assistant Cloud gave endpoints of its own.
    public var cloudhook: Bool
    public var remoteUI: Bool
    /// SSIDs, BSSIDs and connections that are home.
    public var homeNetworks: [String]
    /// `nil` where it was never noted.
    public var told: Machine?
    /// Owner of the registration that this machine holds; `nil` from an older daemon.
    public var standing: Standing?
}

extension RegistrationReport {
    /// Takes from the registration what may be shown.
    public init(_ registration: Registration) {
        self.init(
            deviceName: registration.deviceName, deviceID: registration.deviceID,
            instanceURL: registration.instanceURL, encrypted: registration.isSealed,
            cloudhook: registration.cloudhookURL != nil, remoteUI: registration.remoteUIURL != nil,
            homeNetworks: registration.homeNetworks.compactMap(\.identifier),
            told: registration.told.map {
                Machine(
                    appVersion: $0.appVersion, manufacturer: $0.manufacturer, model: $0.model,
                    osVersion: $0.osVersion)
            }, standing: Standing(registration.standing))
    }
}

extension RegistrationReport.Standing {
    init(_ standing: RegisteredMachine.Standing) {
        self =
            switch standing {
            case .own: .own
            case .moved, .clearing: .moved
            case .copied: .copied
            }
    }
}

/// The result of `enable_encryption`.
public struct EncryptionResult: Codable, Equatable, Sendable {
    /// Whether messages were encrypted before, and nothing was asked.
    public var wasEnabled: Bool
    /// Whether the secret came where nobody else can have read it.
    public var isProven: Bool
    /// Host from which the secret would come over plain HTTP. Nothing was asked, because nobody
    /// allowed plain HTTP.
    public var unconfirmed: String?

    public init(wasEnabled: Bool, isProven: Bool, unconfirmed: String? = nil) {
        self.wasEnabled = wasEnabled
        self.isProven = isProven
        self.unconfirmed = unconfirmed
    }
}
