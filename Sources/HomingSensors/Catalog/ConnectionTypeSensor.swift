internal import HomingCore

/// What carries the traffic, in the words of the companion apps.
struct ConnectionTypeSensor: MachineSensor {
    static let description = SensorDescription(
        "connection_type", "Connection type", icon: "mdi:network", urgency: .prompt,
        summary:
            "`Wi-Fi`, `Ethernet`, `Cellular`, `No Connection`, or what else carries the traffic.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.change
    static let reads = "NetworkManager: primary connection"

    mutating func read(_ machine: Machine) throws(SensorFailure) -> [SensorReading] {
        guard case .known(let network) = machine.state.network else { return [] }
        let (type, icon) = words(network.primary)
        return [SensorReading(Self.description, .text(type), icon: icon)]
    }

    private func words(_ primary: PrimaryConnection?) -> (type: String, icon: String?) {
        switch primary {
        case nil: ("No Connection", "mdi:sim-off")
        case .wifi: ("Wi-Fi", "mdi:wifi")
        case .wired: ("Ethernet", "mdi:ethernet")
        case .other("gsm"), .other("cdma"): ("Cellular", "mdi:signal")
        case .other("bluetooth"): ("Bluetooth", "mdi:bluetooth")
        case .other("vpn"), .other("wireguard"), .other("tun"): ("VPN", "mdi:vpn")
        case .other("pppoe"): ("DSL", "mdi:ethernet")
        case .other("bridge"), .other("bond"), .other("team"), .other("vlan"):
            ("Ethernet", "mdi:ethernet")
        case .other(let type): (type, nil)
        }
    }
}
