internal import HomingMachine

/// The Wi-Fi network, also while a cable carries the traffic, what carries it, and whether a VPN is
/// up: OpenVPN's and its like as well as WireGuard's and Tailscale's interfaces.
struct NetworkSensor: MachineSensor {
    static let ssid = SensorDescription(
        "ssid", "SSID", icon: "mdi:wifi", urgency: .prompt,
        summary: "Name of the Wi-Fi network, or `Not Connected`.")
    static let bssid = SensorDescription(
        "bssid", "BSSID", icon: "mdi:wifi-star", urgency: .prompt,
        summary: "Hardware address of the access point, or `Not Connected`.")
    static let frequency = SensorDescription(
        "wifi_frequency", "Wi-Fi frequency", deviceClass: "frequency", stateClass: .measurement,
        unit: "MHz", isDiagnostic: true, icon: "mdi:wifi",
        summary: "Frequency of the access point's channel.")
    static let carrier = SensorDescription(
        "connection_type", "Connection type", icon: "mdi:network", urgency: .prompt,
        summary:
            "`Wi-Fi`, `Ethernet`, `Cellular`, `No Connection`, or what else carries the traffic.")
    static let metered = SensorDescription(
        "metered", "Metered", kind: .binarySensor, isDiagnostic: true, icon: "mdi:cash",
        urgency: .prompt,
        summary: "Whether traffic costs money, as far as NetworkManager knows or guesses.")
    static let name = SensorDescription(
        "connection_name", "Connection name", icon: "mdi:network-outline", urgency: .prompt,
        summary: "NetworkManager's name of the connection in use, or `No Connection`.")
    static let vpn = SensorDescription(
        "vpn", "VPN", kind: .binarySensor, deviceClass: "connectivity", icon: "mdi:vpn",
        urgency: .prompt, summary: "Whether a VPN connection is up; its name is an attribute.")
    static let descriptions = [ssid, bssid, frequency, carrier, metered, name, vpn]
    static let occasion = SensorOccasion.change
    static let reads = "NetworkManager"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        let details = machine.state.details
        var readings = details.map(wifi) ?? []
        if case .known(let network) = machine.state.network {
            let (type, icon) = words(network.primary)
            readings += [
                SensorReading(Self.carrier, .text(type), icon: icon),
                SensorReading(Self.metered, .boolean(network.metered)),
            ]
        }
        guard let details else { return readings }
        let vpns = details.vpns
        let names = vpns.isEmpty ? [:] : ["name": SensorValue.text(vpns.joined(separator: ", "))]
        return readings + [
            SensorReading(Self.name, .text(details.connection ?? "No Connection")),
            SensorReading(Self.vpn, .boolean(!vpns.isEmpty), attributes: names),
        ]
    }

    private func wifi(_ details: NetworkDetails) -> [SensorReading] {
        guard details.hasWiFi else { return [] }
        guard let wifi = details.wifi else {
            // In the words of the companion apps.
            return [Self.ssid, Self.bssid].map {
                SensorReading($0, .text("Not Connected"), icon: "mdi:wifi-off")
            }
        }
        let names = [
            SensorReading(Self.ssid, .optional(wifi.ssid)),
            SensorReading(Self.bssid, .text(wifi.bssid)),
        ]
        guard wifi.frequency > 0 else { return names }
        return names + [SensorReading(Self.frequency, .whole(wifi.frequency))]
    }

    /// Returns the type and the icon in the words of the companion apps.
    private func words(_ primary: PrimaryConnection?) -> (type: String, icon: String?) {
        switch primary {
        case nil: ("No Connection", "mdi:sim-off")
        case .wifi: ("Wi-Fi", "mdi:wifi")
        case .wired: ("Ethernet", "mdi:ethernet")
        case .other("gsm", _, _), .other("cdma", _, _): ("Cellular", "mdi:signal")
        case .other("bluetooth", _, _): ("Bluetooth", "mdi:bluetooth")
        case .other("vpn", _, _), .other("wireguard", _, _), .other("tun", _, _): ("VPN", "mdi:vpn")
        case .other("pppoe", _, _): ("DSL", "mdi:ethernet")
        case .other("bridge", _, _), .other("bond", _, _), .other("team", _, _),
            .other("vlan", _, _):
            ("Ethernet", "mdi:ethernet")
        case .other(let type, _, _): (type, nil)
        }
    }
}
