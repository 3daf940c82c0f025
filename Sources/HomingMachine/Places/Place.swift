public import HomingLocation

/// A place that this machine knows by its networks: `[place.NAME]`, or the home of a Home Assistant.
public struct Place: Equatable, Sendable {
    /// Location that is reported for a tracker there.
    public enum Target: Equatable, Sendable {
        /// The state of a tracker in the zone: `home`, or the zone's name.
        case zone(String)
        /// A point, with its accuracy in metres.
        case point(Coordinate, accuracy: Double)
    }

    /// Evidence by which a network was recognized. A larger value is harder to copy.
    public enum Evidence: Int, Comparable, Sendable {
        /// Anybody can give a network this name.
        case ssid = 1
        case connection
        /// An access point, or the gateway of the network.
        case hardware

        public static func < (left: Evidence, right: Evidence) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    public var name: String
    public var target: Target
    public var ssids: [String]
    /// BSSIDs, upper-case hexadecimal with colons.
    public var bssids: [String]
    /// NetworkManager's `connection.id` or `connection.uuid`.
    public var connections: [String]
    /// Hardware addresses of gateways, upper-case hexadecimal with colons.
    public var gateways: [String]

    public init(
        name: String, target: Target, ssids: [String] = [], bssids: [String] = [],
        connections: [String] = [], gateways: [String] = []
    ) {
        self.name = name
        self.target = target
        self.ssids = ssids
        self.bssids = bssids
        self.connections = connections
        self.gateways = gateways
    }

    /// The best evidence that the link is at this place; `nil` without any. A connection that
    /// NetworkManager made by itself is the same at every dock, and is no evidence.
    func evidence(_ link: NetworkLink) -> Evidence? {
        if link.gateway.map(gateways.contains) ?? false { return .hardware }
        if link.bssid.map(bssids.contains) ?? false { return .hardware }
        let names = [link.id, link.uuid]
        if !link.isAutomatic, names.contains(where: connections.contains) { return .connection }
        return link.ssid.map(ssids.contains) ?? false ? .ssid : nil
    }
}
