internal import HomingMachine

/// Whether traffic costs money.
struct MeteredSensor: MachineSensor {
    static let description = SensorDescription(
        "metered", "Metered", kind: .binarySensor, isDiagnostic: true, icon: "mdi:cash",
        urgency: .prompt,
        summary: "Whether traffic costs money, as far as NetworkManager knows or guesses.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.change
    static let reads = "NetworkManager: `Metered`"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard case .known(let network) = machine.state.network else { return [] }
        return [SensorReading(Self.description, .boolean(network.metered))]
    }
}
