/// The networks that this machine is on, and what a home knows of each.
public struct NetworkReport: Codable, Equatable, Sendable {
    public struct Network: Codable, Equatable, Sendable {
        /// The network in people's words.
        public var name: String
        /// The hardware address of the gateway; `nil` while the gateway has none that is known.
        public var gateway: String?
        /// Whether gateways of other sites have the same hardware address; `nil` from an older daemon.
        public var sharesGateway: Bool?
        /// The hardware address of the access point; `nil` of a cable.
        public var bssid: String?
        /// Whether the network is at home.
        public var isHome: Bool
        /// Whether the network travels with the machine, and so shows no place.
        public var travels: Bool
        /// Whether the last position there was far from home, so that the network shows no place now.
        public var isDoubted: Bool
        /// The name of the configured place that the network shows; `nil` without such a place.
        public var place: String?

        public init(
            name: String, gateway: String?, sharesGateway: Bool, bssid: String?, isHome: Bool,
            travels: Bool, isDoubted: Bool, place: String?
        ) {
            self.name = name
            self.gateway = gateway
            self.sharesGateway = sharesGateway
            self.bssid = bssid
            self.isHome = isHome
            self.travels = travels
            self.isDoubted = isDoubted
            self.place = place
        }
    }

    public var networks: [Network]
    /// Whether the machine is treated as home, because nothing is known of the network.
    public var isAssumedHome: Bool?
    /// Reason why nothing is sent from here, in people's words; `nil` if something is sent.
    public var noEndpoint: String?

    public init(_ networks: [Network]) { self.networks = networks }
}
