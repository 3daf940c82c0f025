internal import HomingMachine

/// Which access point of the network is used: tells rooms and floors apart.
struct BSSIDSensor: MachineSensor {
    static let description = SensorDescription(
        "bssid", "BSSID", icon: "mdi:wifi-star", urgency: .prompt,
        summary: "Hardware address of the access point, or `Not Connected`.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.change
    static let reads = "NetworkManager: access point"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard let details = machine.state.details, details.hasWiFi else { return [] }
        guard let wifi = details.wifi else { return [.notConnected(Self.description)] }
        return [SensorReading(Self.description, .text(wifi.bssid))]
    }
}
