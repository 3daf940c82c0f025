/// What experience taught about networks around one home: which of them are at home, and which travel.
///
/// A network is at home once Home Assistant was reached there by a private address. A network on which
/// the receiver saw a position far from home travels with the machine, for ever: the router of a van.
public struct KnownNetworks: Equatable, Sendable, Codable {
    /// A network, by the hardware that cannot be mistaken.
    public struct Network: Equatable, Sendable, Codable {
        /// The gateway's hardware address.
        public internal(set) var gateway: String?
        /// The access points' hardware addresses, the latest last.
        public internal(set) var bssids: [String] = []
        /// Whether Home Assistant was reached here by a private address.
        public internal(set) var isHome = false
        /// Whether a position was seen here that is far from home.
        public internal(set) var travels = false
        /// Whether the last position seen here lay outside the home's zone.
        public internal(set) var wasOutside = false

        /// Whether the network is evidence that the machine is at home.
        var showsHome: Bool { isHome && !travels && !wasOutside }

        func isNetwork(of link: NetworkLink) -> Bool {
            if let gateway, let other = link.gateway { return gateway == other }
            return link.bssid.map(bssids.contains) ?? false
        }
    }

    /// Networks, and access points of each, that are kept.
    static let capacity = 64
    static let pointCapacity = 64

    /// The latest that changed is last.
    public private(set) var networks: [Network] = []

    public init() {}

    /// Whether a network is known to be at home.
    public var hasHome: Bool { networks.contains(where: \.showsHome) }

    /// The network of this link.
    public func network(of link: NetworkLink) -> Network? {
        networks.last { $0.isNetwork(of: link) }
    }

    /// Whether the link shows that the machine is at home.
    func showsHome(_ link: NetworkLink) -> Bool {
        let known = networks.filter { $0.isNetwork(of: link) }
        return known.contains(where: \.showsHome) && !known.contains(where: \.travels)
    }

    /// Home Assistant was reached by a private address on this link.
    mutating func reachedHome(on link: NetworkLink) { change(link) { $0.isHome = true } }

    /// The receiver saw a position while the machine had this link.
    mutating func saw(_ position: HomePosition, on link: NetworkLink) {
        // Nothing is kept of a network that says nothing yet.
        guard network(of: link) != nil || position == .far else { return }
        change(link) { network in
            network.wasOutside = position != .inside
            if position == .far { network.travels = true }
        }
    }

    private mutating func change(_ link: NetworkLink, _ body: (inout Network) -> Void) {
        guard link.gateway != nil || link.bssid != nil else { return }
        let index = networks.lastIndex { $0.isNetwork(of: link) }
        var network = index.map { networks[$0] } ?? Network()
        network.gateway = network.gateway ?? link.gateway
        if let bssid = link.bssid, !network.bssids.contains(bssid) {
            network.bssids = network.bssids.suffix(Self.pointCapacity - 1) + [bssid]
        }
        body(&network)
        guard index.map({ networks[$0] != network }) ?? true else { return }
        if let index { networks.remove(at: index) }
        networks.append(network)
        if networks.count > Self.capacity { forgetOne() }
    }

    /// A network at home is kept longest.
    private mutating func forgetOne() {
        networks.remove(at: networks.firstIndex { !$0.isHome } ?? 0)
    }
}

/// Where a position lies, seen from the home's zone.
public enum HomePosition: Equatable, Sendable {
    case inside
    /// Outside the zone, where the home's network may still reach.
    case outside
    case far
}
