public import HomingBase

/// Choices of a person or a script before the first question.
public struct PairingChoices: Equatable, Sendable {
    /// Home Assistant's address, as typed.
    public var url: String?
    /// Whether a token came with the command, so that nobody need log in.
    public var hasToken = false
    public var deviceName: String?
    /// Whether the machine registers as another device than for its other homes.
    public var isNew = false
    /// Whether the machine takes the device of another name that has the machine's identity.
    public var takesDevice = false
    /// Whether the present network is home; `nil` to ask.
    public var isHome: Bool?
    /// Whether the service is to be enabled; `nil` to ask.
    public var startsService: Bool?
    /// Take the usual answer to every question that has one.
    public var acceptsDefaults = false
    /// Whether somebody answers questions.
    public var isInteractive = false
    public var allowsPlainHTTP = false

    public init() {}
}

/// Moment when the service starts, once the service is enabled.
public enum ServiceStart: Sendable {
    case withTheMachine
    /// Time from the user's login to the logout.
    case withTheLogin

    /// Text in people's words.
    var text: String {
        switch self {
        case .withTheMachine: "Homing is running, and starts when this machine starts."
        case .withTheLogin:
            "Homing is running, and starts when you log in. To run Homing while you are logged out, "
                + "too: loginctl enable-linger"
        }
    }

    var question: String {
        switch self {
        case .withTheMachine: "Start Homing now, and whenever this machine starts? [Y/n] "
        case .withTheLogin: "Start Homing now, and whenever you log in? [Y/n] "
        }
    }
}

/// State of the machine before pairing.
public struct PairingSituation: Equatable, Sendable {
    /// The name of the home that is meant.
    public var home: String
    /// Whether a person named this home.
    public var isHomeNamed = false
    /// The device name of the registration there is.
    public var registeredAs: String?
    /// Address of that registration. Not secret.
    public var registeredURL: String?
    /// Whether another machine was registered, whose disk this is.
    public var isMoved = false
    /// Whether the registration is a marked image's, and so none of this machine.
    public var isCopied = false
    /// The other Home Assistants to which the machine reports already, and goes on to.
    public var otherHomes: [RegisteredHome] = []
    /// The machine's own name.
    public var machineName: String
    /// The present network, in people's words; `nil` where it is not known.
    public var network: String?
    /// Whether the present registration lists this network as home.
    public var isNetworkRecorded = false
    /// Whether plain HTTP is used on other networks, too ([home_assistant] plain_http_away).
    public var usesPlainHTTPAway = false
    /// Whether a daemon runs, so that nothing need be started.
    public var isDaemonRunning: Bool
    /// Whether the service can be enabled here at all.
    public var hasServiceManager: Bool
    public var serviceStart = ServiceStart.withTheMachine
    /// The command that starts the service.
    public var startCommand = "sudo systemctl enable --now homing.service"

    public init(
        home: String, registeredAs: String?, machineName: String, network: String?,
        isDaemonRunning: Bool, hasServiceManager: Bool
    ) {
        self.home = home
        self.registeredAs = registeredAs
        self.machineName = machineName
        self.network = network
        self.isDaemonRunning = isDaemonRunning
        self.hasServiceManager = hasServiceManager
    }

    /// Whether the registration there is stays as it is (`--if-needed`).
    public func keepsRegistration(_ choices: PairingChoices) -> Bool {
        guard registeredAs != nil, !isCopied, !(isMoved && choices.isNew) else { return false }
        return choices.url.map(isRegistered) ?? true
    }

    private func isRegistered(at url: String) -> Bool {
        guard let registeredURL, let base = PairingAddress.base(url) else { return false }
        return PairingAddress.base(registeredURL) == base
    }
}

/// Obstacle to a pairing, and what to do about the obstacle.
public struct PairingTrouble: Error, Equatable, Sendable {
    public enum Kind: Sendable {
        /// The address is no address, or none of a Home Assistant.
        case address
        /// Lack of any answer at the address.
        case unreachable
        /// Lack of an endpoint that may be used on this network.
        case noEndpoint
        /// The login or its token is not accepted.
        case login
        /// Home Assistant answers, and refuses.
        case refused
        /// A device of another name has this machine's identity.
        case knownDevice
        /// Home Assistant does not know the registration.
        case lostRegistration
        /// Another daemon of this machine, which would lose the device. Nothing was sent.
        case otherDaemon
        /// Problem that no other answer corrects: rights, the disk, the configuration.
        case machine
    }

    public var kind: Kind
    public var message: String
    public var hint: String?

    public init(_ kind: Kind, _ message: String, hint: String? = nil) {
        self.kind = kind
        self.message = message
        self.hint = hint
    }
}

/// End of a pairing.
public enum PairingEnding: Equatable, Sendable {
    case paired
    /// Registered, but not all of the rest worked.
    case incomplete
    /// End without a change.
    case stopped(PairingTrouble)
}
