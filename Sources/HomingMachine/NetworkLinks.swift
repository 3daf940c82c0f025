/// A connection to a network around this machine, with a gateway: a cable, a Wi-Fi network, a modem.
///
/// A tunnel is not a link, as it leads elsewhere. A connection without a gateway is not a link either:
/// a port of a bridge, the bridge of a container, an access point of this machine's own.
public struct NetworkLink: Equatable, Sendable {
    public enum Medium: Equatable, Sendable {
        /// The SSID is `nil` where the radio hides it for the moment. The BSSID is upper-case hexadecimal
        /// with colons.
        case wifi(ssid: String?, bssid: String?)
        case cable
        /// Mobile broadband, for example.
        case other
    }

    public var medium: Medium
    /// NetworkManager's `connection.id`.
    public var id: String
    /// NetworkManager's `connection.uuid`.
    public var uuid: String
    /// Whether NetworkManager made the connection by itself: the same connection is used at every dock.
    public var isAutomatic: Bool
    /// IP addresses of this machine on the link, without prefix lengths.
    public var addresses: [String]
    /// The hardware address of the gateway, upper-case hexadecimal with colons; `nil` where the address
    /// is not known, or not known yet.
    public var gateway: String?

    public init(
        medium: Medium, id: String, uuid: String, isAutomatic: Bool = false,
        addresses: [String] = [], gateway: String? = nil
    ) {
        self.medium = medium
        self.id = id
        self.uuid = uuid
        self.isAutomatic = isAutomatic
        self.addresses = addresses
        self.gateway = gateway
    }

    /// Whether the other one is this link at a later time, on the same network for certain.
    func isContinued(by later: NetworkLink) -> Bool {
        uuid == later.uuid && addresses == later.addresses && medium == later.medium
            && (gateway == nil || gateway == later.gateway)
    }

    /// The SSID, of a Wi-Fi network alone.
    public var ssid: String? { if case .wifi(let ssid, _) = medium { ssid } else { nil } }
    /// The BSSID, of a Wi-Fi network alone.
    public var bssid: String? { if case .wifi(_, let bssid) = medium { bssid } else { nil } }
}

/// All links of this machine, and how far they reach.
public struct NetworkLinks: Equatable, Sendable {
    /// Sorted by UUID.
    public var links: [NetworkLink]
    public var connectivity: Connectivity
    /// Whether the hardware address of a gateway may still come to be known.
    public var isResolving: Bool

    public init(
        _ links: [NetworkLink], connectivity: Connectivity = .full, isResolving: Bool = false
    ) {
        self.links = links
        self.connectivity = connectivity
        self.isResolving = isResolving
    }
}
