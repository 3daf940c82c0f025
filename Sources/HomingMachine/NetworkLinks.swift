public import HomingBase

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
    /// This machine's addresses on the link.
    public var networks: [IPNetwork]
    /// IP addresses of the gateways, as NetworkManager writes them.
    public var gateways: [String]
    /// The hardware address of a gateway, upper-case hexadecimal with colons; `nil` while it is unknown.
    public var gateway: String?

    public init(
        medium: Medium, id: String, uuid: String, isAutomatic: Bool = false,
        networks: [IPNetwork] = [], gateways: [String] = [], gateway: String? = nil
    ) {
        self.medium = medium
        self.id = id
        self.uuid = uuid
        self.isAutomatic = isAutomatic
        self.networks = networks
        self.gateways = gateways
        self.gateway = gateway
    }

    /// The SSID, of a Wi-Fi network alone.
    public var ssid: String? { if case .wifi(let ssid, _) = medium { ssid } else { nil } }
    /// The BSSID, of a Wi-Fi network alone.
    public var bssid: String? { if case .wifi(_, let bssid) = medium { bssid } else { nil } }

    /// The gateway's hardware address, unless other sites have a gateway with the same address.
    var ownGateway: String? { sharesGateway ? nil : gateway }
    /// Whether gateways of other sites have the same hardware address.
    public var sharesGateway: Bool { gateway.map { SharedHardware.isShared($0) } ?? false }

    /// Whether the other one is this link at a later time, on the same network for certain.
    func isContinued(by later: NetworkLink) -> Bool {
        uuid == later.uuid && networks == later.networks && gateways == later.gateways
            && medium == later.medium && (gateway == nil || gateway == later.gateway)
    }
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

/// Hardware addresses that gateways of many sites have: of redundant routers (RFC 5798 for VRRP, which
/// CARP uses too; HSRP), of virtual machines, and of modems that look like a cable.
enum SharedHardware {
    private static let beginnings = [
        "00:00:5E:00:01:", "00:00:5E:00:02:", "00:00:0C:07:AC:", "00:00:0C:9F:F", "00:05:73:A0:0",
        "52:55:0A:00:02:", "52:54:00:12:35:", "0C:5B:8F:27:9A:64",
    ]

    /// Whether the address, upper-case hexadecimal with colons, shows no single site.
    static func isShared(_ address: String) -> Bool {
        beginnings.contains { address.hasPrefix($0) }
    }
}
