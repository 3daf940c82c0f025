internal import HomingBase
internal import HomingSettings

extension Configuration {
    /// `[home_network]`: the networks at home. The network on which `register` succeeded is a home
    /// network, too.
    public struct HomeNetwork: Equatable, Sendable {
        /// Names of Wi-Fi networks, 1 to 32 bytes each.
        public var ssids: [String] = []
        /// Addresses of access points, `AA:BB:CC:DD:EE:FF` in upper case.
        public var bssids: [String] = []
        /// NetworkManager's `connection.id` or `connection.uuid`.
        public var connections: [String] = []
    }

    /// Whether a key names a network, which NetworkManager alone knows.
    public var namesNetworks: Bool {
        homeNetwork != HomeNetwork() || !places.isEmpty
    }

    static let homeNetworkSection = Section<Configuration>(
        "home_network", formerly: "home", scope: .own,
        """
        Which networks are home. At home Homing connects to Home Assistant directly, over plain HTTP if necessary. \
        The network on which "homing setup" succeeded is home already.
        """,
        [
            Key(
                "ssid", \.homeNetwork.ssids, .ssids,
                #"""
                Wi-Fi networks by name, separated by ";". Write a semicolon in a name as "\;", a \#
                blank at its beginning or end as "\s".
                """#),
            Key(
                "bssid", \.homeNetwork.bssids, .bssids,
                """
                Access points by hardware address, separated by ";". If other networks have the same \
                name, use bssid in place of ssid.
                """),
            Key(
                "connection", \.homeNetwork.connections, .names,
                """
                Connections by their id or UUID in NetworkManager ("nmcli connection"), separated \
                by ";": for a cable, a bridge, a VPN.
                """),
        ])
}

extension Kind where Value == [String] {
    /// IEEE 802.11 bounds an SSID to 32 bytes; those that are no UTF-8 can be named by BSSID only.
    static let ssids = list("names of 1 to 32 bytes separated by \";\"") { (name) throws(Refusal) in
        guard name.utf8.count <= 32 else {
            throw Refusal(
                "\(quoted(name)) is \(name.utf8.count) bytes long; an SSID has at most 32")
        }
        return name
    }

    /// Access points by hardware address.
    static let bssids = hardware("a BSSID")
    /// Devices by hardware address.
    static let hardwareAddresses = hardware("a hardware address")

    /// Six hexadecimal octets with colons, kept in upper case, as NetworkManager writes them.
    private static func hardware(_ kind: String) -> Kind {
        list("addresses like AA:BB:CC:DD:EE:FF separated by \";\"") { (address) throws(Refusal) in
            let octets = address.split(separator: ":", omittingEmptySubsequences: false)
            let valid =
                octets.count == 6
                && octets.allSatisfy { $0.isMade(of: ASCII.digits + "abcdefABCDEF", 2...2) }
            guard valid else {
                throw Refusal(
                    "\(quoted(address)) is not \(kind); allowed is AA:BB:CC:DD:EE:FF, several "
                        + "separated by \";\"")
            }
            return address.uppercased()
        }
    }
}
