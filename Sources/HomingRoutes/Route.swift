internal import HomingBase
public import HomingMachine

/// Endpoints that may be used on the present network, in their order, and the reason for them.
public struct Route: Equatable, Sendable {
    /// Reason why the machine is thought to be at home, or not.
    public enum Place: Equatable, Sendable {
        case homeSSID(String)
        case homeBSSID(String)
        case homeConnection(String)
        /// Home by assumption: nothing is known of the network, nothing is listed, and the
        /// instance's host is a local one.
        case assumedHome
        case away
        /// NetworkManager has no connection. It may not be the one that manages the network, so
        /// what may be used elsewhere is tried nevertheless.
        case offline
        /// A captive portal stands in the way of a network that is not listed as home: nothing is
        /// sent.
        case portal

        public var isHome: Bool {
            switch self {
            case .homeSSID, .homeBSSID, .homeConnection, .assumedHome: true
            case .away, .offline, .portal: false
            }
        }
    }

    public let place: Place
    /// First the one to try first.
    public let endpoints: [Endpoint]
    /// Endpoints that exist and may not be used now, with the reason for people.
    public let excluded: [Endpoint.Kind: String]
    /// Whether the machine has no network at all: nothing beyond it is tried.
    public let isCutOff: Bool

    init(
        place: Place, endpoints: [Endpoint], excluded: [Endpoint.Kind: String],
        isCutOff: Bool = false
    ) {
        (self.place, self.endpoints, self.excluded) = (place, endpoints, excluded)
        self.isCutOff = isCutOff
    }
}

extension Route {
    /// Reasons why existing endpoints may not be used now; `nil` if all endpoints may be used.
    public var exclusions: String? {
        let texts = excluded.map { "\($0.key.title): \($0.value)" }.sorted()
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }
}

/// Chooses the route: on a home network the instance URL first, elsewhere the cloud first.
public struct RouteChooser: Equatable, Sendable {
    /// A network listed as home: by the configuration or by `register`.
    public struct HomeNetwork: Equatable, Sendable {
        public var ssid: String?
        public var bssid: String?
        /// `connection.id` or `connection.uuid` of a connection that is no Wi-Fi.
        public var connection: String?

        public init(ssid: String? = nil, bssid: String? = nil, connection: String? = nil) {
            self.ssid = ssid
            self.bssid = bssid
            self.connection = connection
        }
    }

    /// The webhook's URL at each endpoint, as the registration has them.
    public struct Addresses: Equatable, Sendable {
        public var instance: String
        /// Used for the instance when away from home; `nil` for the same.
        public var instanceAway: String?
        public var cloudhook: String?
        public var remoteUI: String?

        public init(
            instance: String, instanceAway: String? = nil, cloudhook: String? = nil,
            remoteUI: String? = nil
        ) {
            self.instance = instance
            self.instanceAway = instanceAway
            self.cloudhook = cloudhook
            self.remoteUI = remoteUI
        }
    }

    public var addresses: Addresses
    public var homeNetworks: [HomeNetwork]
    public var useCloud: Bool
    public var plainHTTPAway: Bool

    public init(
        addresses: Addresses, homeNetworks: [HomeNetwork], useCloud: Bool = true,
        plainHTTPAway: Bool = false
    ) {
        self.addresses = addresses
        self.homeNetworks = homeNetworks
        self.useCloud = useCloud
        self.plainHTTPAway = plainHTTPAway
    }

    /// The route on this network.
    public func route(on network: NetworkState) -> Route {
        let place = place(network)
        var excluded: [Endpoint.Kind: String] = [:]
        if place == .portal { return Route(place: place, endpoints: [], excluded: excluded) }
        let order: [Endpoint.Kind] =
            place.isHome ? [.instance, .cloudhook, .remoteUI] : [.cloudhook, .remoteUI, .instance]
        var endpoints = order.compactMap { kind in
            endpoint(kind, at: place, excluded: &excluded)
        }
        if network.isBehindPortal {
            for endpoint in endpoints where endpoint.kind != .instance {
                excluded[endpoint.kind] = "a login page blocks the network"
            }
            endpoints.removeAll { $0.kind != .instance }
        }
        if case .known(let machine) = network, network.isCutOff {
            let others = endpoints.filter { !$0.isOn(machine.hostName) }
            for endpoint in others { excluded[endpoint.kind] = "this machine has no network" }
            endpoints.removeAll { others.contains($0) }
        }
        return Route(
            place: place, endpoints: endpoints, excluded: excluded, isCutOff: network.isCutOff)
    }

    private func endpoint(
        _ kind: Endpoint.Kind, at place: Route.Place, excluded: inout [Endpoint.Kind: String]
    ) -> Endpoint? {
        let away = kind == .instance && !place.isHome ? addresses.instanceAway : nil
        guard let url = away ?? addresses.url(of: kind) else { return nil }
        guard let address = WebAddress(url) else {
            excluded[kind] = "it is no http or https URL"
            return nil
        }
        if kind != .instance && !useCloud {
            excluded[kind] = "home_assistant.use_cloud is false"
            return nil
        }
        // The webhook's id would cross a stranger's network in the clear.
        let plainAllowed =
            kind == .instance && (place.isHome || address.isLoopback || plainHTTPAway)
        guard address.isTLS || plainAllowed else {
            excluded[kind] = "plain HTTP is used on a home network only"
            return nil
        }
        return Endpoint(
            kind: kind, webhookURL: url, isAuthentic: address.isTLS || address.isLoopback)
    }

    private func place(_ network: NetworkState) -> Route.Place {
        guard case .known(let network) = network else { return unknownPlace() }
        let home = network.primary.flatMap(homePlace)
        // At home the instance may be reached though the internet is not.
        if network.connectivity == .portal { return home ?? .portal }
        if network.primary != nil { return home ?? .away }
        return unknownPlace() == .assumedHome ? .assumedHome : .offline
    }

    private func homePlace(_ primary: PrimaryConnection) -> Route.Place? {
        switch primary {
        case .wifi(let ssid, let bssid):
            if let bssid, homeNetworks.contains(where: { $0.bssid == bssid }) {
                return .homeBSSID(bssid)
            }
            if let ssid, homeNetworks.contains(where: { $0.ssid == ssid }) {
                return .homeSSID(ssid)
            }
        case .wired(let id, let uuid), .other(_, let id, let uuid):
            if homeNetworks.contains(where: { $0.connection == uuid || $0.connection == id }) {
                return .homeConnection(id)
            }
        }
        return nil
    }

    private func unknownPlace() -> Route.Place {
        let local = WebAddress(addresses.instance)?.isPrivate == true
        return homeNetworks.isEmpty && local ? .assumedHome : .away
    }
}

extension Endpoint {
    /// Whether the URL leads to this machine, which has that name.
    fileprivate func isOn(_ name: String?) -> Bool {
        guard let address = WebAddress(webhookURL) else { return false }
        let own = name.map { [$0.lowercased(), "\($0.lowercased()).local"] } ?? []
        return address.isLoopback || own.contains(address.host.lowercased())
    }
}

extension NetworkState {
    fileprivate var isBehindPortal: Bool {
        if case .known(let network) = self { network.connectivity == .portal } else { false }
    }
}

extension RouteChooser.Addresses {
    /// The URL of one endpoint at home, `nil` if there is no such endpoint. Secret.
    public func url(of kind: Endpoint.Kind) -> String? {
        switch kind {
        case .instance: instance
        case .cloudhook: cloudhook
        case .remoteUI: remoteUI
        }
    }
}
