internal import HomingMachine

/// Whether a VPN is up, OpenVPN's and its like as well as WireGuard's and Tailscale's interfaces.
struct VPNSensor: MachineSensor {
    static let description = SensorDescription(
        "vpn", "VPN", kind: .binarySensor, deviceClass: "connectivity", icon: "mdi:vpn",
        urgency: .prompt, summary: "Whether a VPN connection is up; its name is an attribute.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.change
    static let reads = "NetworkManager: active connections"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard let vpns = machine.state.details?.vpns else { return [] }
        let names = vpns.isEmpty ? [:] : ["name": SensorValue.text(vpns.joined(separator: ", "))]
        return [SensorReading(Self.description, .boolean(!vpns.isEmpty), attributes: names)]
    }
}
