/// Knowledge of NetworkManager beyond `NetworkState`: of interest to people, and to no decision.
public struct NetworkDetails: Equatable, Sendable {
    /// The access point in use.
    public struct WiFi: Equatable, Sendable {
        /// `nil` where it hides its name.
        public var ssid: String?
        /// Upper-case hexadecimal with colons.
        public var bssid: String
        /// Percent, by NetworkManager's reckoning.
        public var quality: Int
        /// MHz.
        public var frequency: Int

        public init(ssid: String?, bssid: String, quality: Int, frequency: Int) {
            self.ssid = ssid
            self.bssid = bssid
            self.quality = quality
            self.frequency = frequency
        }
    }

    /// Whether there is a Wi-Fi device at all.
    public var hasWiFi: Bool
    /// `nil` while no access point is in use.
    public var wifi: WiFi?
    /// NetworkManager's `connection.id` of the primary connection.
    public var connection: String?
    /// Names of the VPN connections that are up, sorted.
    public var vpns: [String]

    public init(
        hasWiFi: Bool = false, wifi: WiFi? = nil, connection: String? = nil, vpns: [String] = []
    ) {
        self.hasWiFi = hasWiFi
        self.wifi = wifi
        self.connection = connection
        self.vpns = vpns
    }
}
