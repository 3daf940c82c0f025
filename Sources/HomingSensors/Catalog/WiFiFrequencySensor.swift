internal import HomingMachine

/// The channel's frequency: 2.4, 5 or 6 GHz.
struct WiFiFrequencySensor: MachineSensor {
    static let description = SensorDescription(
        "wifi_frequency", "Wi-Fi frequency", deviceClass: "frequency", stateClass: .measurement,
        unit: "MHz", isDiagnostic: true, icon: "mdi:wifi",
        summary: "Frequency of the access point's channel.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.change
    static let reads = "NetworkManager: access point"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard let wifi = machine.state.details?.wifi, wifi.frequency > 0 else { return [] }
        return [SensorReading(Self.description, .whole(wifi.frequency))]
    }
}
