extension Configuration {
    /// `[home]`: the networks that are home, besides the one on which `register` succeeded.
    public struct Home: Equatable, Sendable {
        /// Names of Wi-Fi networks, 1 to 32 bytes each.
        public var ssids: [String] = []
        /// Addresses of access points, `AA:BB:CC:DD:EE:FF` in upper case.
        public var bssids: [String] = []
        /// NetworkManager's `connection.id` or `connection.uuid`.
        public var connections: [String] = []

        /// All defaults.
        public init() {}
    }

    static let homeSection = Section(
        "home",
        """
        Which networks are home. There the instance is reached directly, by plain HTTP if need be. \
        The network on which "homing register" succeeded is home already.
        """,
        [
            Key(
                "ssid", \.home.ssids, .ssids,
                #"""
                Wi-Fi networks by name, separated by ";". Write a semicolon in a name as "\;", a \#
                blank at its beginning or end as "\s".
                """#),
            Key(
                "bssid", \.home.bssids, .bssids,
                """
                Access points by hardware address, separated by ";": for a name that others use too.
                """),
            Key(
                "connection", \.home.connections, .names,
                """
                Connections by their id or UUID in NetworkManager ("nmcli connection"), separated \
                by ";": for a cable, a bridge, a VPN.
                """),
        ])
}
