internal import HomingLocation

/// How much of a position the receiver knows.
struct GPSFixSensor: MachineSensor {
    static let description = SensorDescription(
        "gps_fix", "GPS fix", deviceClass: "enum", isDiagnostic: true,
        icon: "mdi:crosshairs-gps", urgency: .prompt, summary: "`none`, `2d` or `3d`.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.change
    static let reads = "gpsd: TPV `mode`"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        switch machine.state.fixMode {
        case nil: []
        case .some(.none): [SensorReading(Self.description, .text("none"), icon: "mdi:crosshairs")]
        case .twoDimensional: [SensorReading(Self.description, .text("2d"))]
        case .threeDimensional: [SensorReading(Self.description, .text("3d"))]
        }
    }
}
