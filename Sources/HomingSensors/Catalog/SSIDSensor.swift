internal import HomingMachine

/// The name of the Wi-Fi network, also while a cable carries the traffic.
struct SSIDSensor: MachineSensor {
    static let description = SensorDescription(
        "ssid", "SSID", icon: "mdi:wifi", urgency: .prompt,
        summary: "Name of the Wi-Fi network, or `Not Connected`.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.change
    static let reads = "NetworkManager: access point"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard let details = machine.state.details, details.hasWiFi else { return [] }
        guard let wifi = details.wifi else { return [.notConnected(Self.description)] }
        return [SensorReading(Self.description, .optional(wifi.ssid))]
    }
}

extension SensorReading {
    /// What the companion apps say of a Wi-Fi sensor without a network.
    static func notConnected(_ description: SensorDescription) -> SensorReading {
        SensorReading(description, .text("Not Connected"), icon: "mdi:wifi-off")
    }
}
