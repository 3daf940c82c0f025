internal import HomingMachine

/// What carries the traffic, in the words of the companion apps.
struct ConnectionTypeSensor: MachineSensor {
    static let description = SensorDescription(
        "connection_type", "Connection type", icon: "mdi:network", urgency: .prompt,
        summary:
            "`Wi-Fi`, `Ethernet`, `Cellular`, `No Connection`, or what else carries the traffic.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.change
    static let reads = "NetworkManager: primary connection"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard case .known(let network) = machine.state.network else { return [] }
        let (type, icon) = words(network.primary)
        return [SensorReading(Self.description, .text(type), icon: icon)]
    }

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
