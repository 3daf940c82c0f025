internal import HomingLocation

/// Networks around one home: which of them are at home, and which travel with the machine.
///
/// A network is at home once Home Assistant was reached there on the network itself. A network on which
/// the receiver saw positions far from home travels: the router of a van.
public struct KnownNetworks: Equatable, Sendable, Codable {
    /// A network, by hardware that no other network has.
    public struct Network: Equatable, Sendable, Codable {
        /// The gateway's hardware address.
        public internal(set) var gateway: String?
        /// The access points' hardware addresses, the latest last.
        public internal(set) var bssids: [String] = []
        /// Whether Home Assistant was reached here, on the network itself.
        public internal(set) var isHome = false
        /// Whether positions far from home were seen here.
        public internal(set) var travels = false
        /// Whether the last position here was far from home; `nil` for no, as in earlier files.
        public internal(set) var isDoubted: Bool?

        func isNetwork(of link: NetworkLink) -> Bool {
            if let gateway, let other = link.ownGateway { return gateway == other }
            return link.bssid.map(bssids.contains) ?? false
        }
    }

    /// The zone of home, against which the networks were judged.
    struct Home: Equatable, Sendable, Codable {
        var latitude: Double
        var longitude: Double
        /// Metres.
        var radius: Double

        /// Metres from the zone's border, negative within the zone.
        func distance(to place: Coordinate) -> Double? {
            Coordinate(latitude: latitude, longitude: longitude)
                .map { Geodesy.distance(place, $0) - radius }
        }
    }

    /// Networks, and access points of each, that are kept.
    static let capacity = 64
    static let pointCapacity = 16

    /// The latest that changed is last.
    public private(set) var networks: [Network] = []
    private(set) var home: Home?

    public init() {}

    /// Whether a network is known to be at home.
    public var hasHome: Bool { networks.contains { $0.isHome && !$0.travels } }

    /// Whether the link shows that the machine is at home.
    func showsHome(_ link: NetworkLink) -> Bool {
        isHome(link) && !travels(link) && !isDoubted(link)
    }

    /// Whether Home Assistant was reached on this network.
    func isHome(_ link: NetworkLink) -> Bool {
        networks.contains { $0.isHome && $0.isNetwork(of: link) }
    }

    /// Whether the network travels.
    func travels(_ link: NetworkLink) -> Bool {
        networks.contains { $0.travels && $0.isNetwork(of: link) }
    }

    /// Whether the last position on this network was far from home.
    func isDoubted(_ link: NetworkLink) -> Bool {
        networks.contains { $0.isDoubted == true && $0.isNetwork(of: link) }
    }

    /// Home Assistant was reached on the network of this link.
    mutating func reachedHome(on link: NetworkLink) { change(link) { $0.isHome = true } }

    /// The last position on this link was far from home, or no longer. Only a network at home is noted.
    mutating func doubt(_ link: NetworkLink, _ isDoubted: Bool) {
        guard isHome(link), self.isDoubted(link) != isDoubted else { return }
        change(link) { $0.isDoubted = isDoubted ? true : nil }
    }

    /// Forgets the network of this link.
    mutating func forget(_ link: NetworkLink) {
        networks.removeAll { $0.isNetwork(of: link) }
    }

    /// Positions far from home were seen on this link.
    mutating func sawTravel(of link: NetworkLink) { change(link) { $0.travels = true } }

    /// The zone of home lies here. Where the zone has moved by more than `reach` metres, nothing is
    /// known of travels any more.
    mutating func learn(_ zone: Zone, reach: Double) {
        let place = zone.coordinate
        if let home, (home.distance(to: place) ?? .infinity) + home.radius > reach {
            for index in networks.indices {
                (networks[index].travels, networks[index].isDoubted) = (false, nil)
            }
            networks.removeAll { !$0.isHome }
        }
        home = Home(
            latitude: place.latitude, longitude: place.longitude, radius: zone.radius)
    }

    /// Changes the network of the link. Entries that turn out to be one network become one.
    private mutating func change(_ link: NetworkLink, _ body: (inout Network) -> Void) {
        guard link.ownGateway != nil || link.bssid != nil else { return }
        var network = Network()
        for known in networks where known.isNetwork(of: link) {
            network.gateway = network.gateway ?? known.gateway
            network.bssids += known.bssids.filter { !network.bssids.contains($0) }
            network.isHome = network.isHome || known.isHome
            network.travels = network.travels || known.travels
            network.isDoubted = known.isDoubted ?? network.isDoubted
        }
        network.gateway = network.gateway ?? link.ownGateway
        if let bssid = link.bssid, !network.bssids.contains(bssid) { network.bssids.append(bssid) }
        network.bssids = network.bssids.suffix(Self.pointCapacity)
        body(&network)
        guard networks.filter({ $0.isNetwork(of: link) }) != [network] else { return }
        networks.removeAll { $0.isNetwork(of: link) }
        networks.append(network)
        // A network at home is kept longest.
        if networks.count > Self.capacity {
            networks.remove(at: networks.firstIndex { !$0.isHome } ?? 0)
        }
    }
}
