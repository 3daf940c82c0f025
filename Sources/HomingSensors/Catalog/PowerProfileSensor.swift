/// Power profile of the machine, as power-profiles-daemon (or tuned in its place) is set.
struct PowerProfileSensor: MachineSensor {
    static let description = SensorDescription(
        "power_profile", "Power profile", deviceClass: "enum", isDiagnostic: true,
        icon: "mdi:speedometer-medium", urgency: .prompt,
        summary: "`power-saver`, `balanced` or `performance`.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.change
    static let reads = "power-profiles-daemon: `ActiveProfile`"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard let profile = machine.state.powerProfile else { return [] }
        let icon =
            switch profile {
            case "power-saver": "mdi:speedometer-slow"
            case "performance": "mdi:speedometer"
            default: nil as String?
            }
        return [SensorReading(Self.description, .text(profile), icon: icon)]
    }
}
