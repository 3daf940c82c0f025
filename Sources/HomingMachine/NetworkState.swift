/// Reach of the network, in NetworkManager's words (NMConnectivityState).
public enum Connectivity: String, Sendable {
    case unknown
    case none
    case portal
    case limited
    case full

    /// Text for people.
    public var title: String {
        switch self {
        case .unknown: "unknown"
        case .none: "no network"
        case .portal: "login page"
        case .limited: "no internet"
        case .full: "internet reachable"
        }
    }
}

/// Connection that carries the default route.
public enum PrimaryConnection: Equatable, Sendable {
    /// Wi-Fi. The SSID is text where its bytes are UTF-8, and `nil` where the radio hides it for
    /// the moment; the BSSID is upper-case hexadecimal with colons.
    case wifi(ssid: String?, bssid: String?)
    /// A cable; the names are NetworkManager's `connection.id` and `connection.uuid`.
    case wired(id: String, uuid: String)
    /// Mobile broadband, a VPN, a bridge, …: NetworkManager's `connection.type`, `connection.id` and
    /// `connection.uuid`.
    case other(type: String, id: String, uuid: String)

    /// Types of connections that are cables in the end.
    public static let cableTypes: Set<String> = [
        "802-3-ethernet", "bridge", "bond", "team", "vlan",
    ]
}

/// State of the network by NetworkManager, or that NetworkManager says nothing.
public enum NetworkState: Equatable, Sendable {
    /// NetworkManager (or D-Bus) is not there: nothing is known, and a network may well exist.
    case unknown
    case known(Network)

    /// The state NetworkManager reports.
    public struct Network: Equatable, Sendable {
        public var primary: PrimaryConnection?
        public var connectivity: Connectivity
        /// Whether traffic costs money, as far as NetworkManager knows or guesses.
        public var metered: Bool
        /// Whether the machine has an address, also on an interface that NetworkManager leaves alone.
        public var hasAddress: Bool
        /// Text about the network where no connection carries the default route, for people.
        public var textWithoutPrimary: String {
            hasAddress ? "a network that NetworkManager does not manage" : "none"
        }
        /// The name of this machine, where there is no address; `nil` where it is not known.
        public var hostName: String?

        public init(
            primary: PrimaryConnection?, connectivity: Connectivity, metered: Bool,
            hasAddress: Bool = true, hostName: String? = nil
        ) {
            self.primary = primary
            self.connectivity = connectivity
            self.metered = metered
            self.hasAddress = hasAddress
            self.hostName = hostName
        }
    }
}

extension NetworkState {
    /// Connection that carries the default route; `nil` without a connection or any knowledge.
    public var primary: PrimaryConnection? {
        if case .known(let network) = self { network.primary } else { nil }
    }

    /// Whether nothing beyond this machine can be reached.
    public var isCutOff: Bool {
        if case .known(let network) = self {
            network.primary == nil && !network.hasAddress
        } else {
            false
        }
    }
}
