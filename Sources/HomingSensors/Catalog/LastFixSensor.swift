internal import HomingLocation

/// How old the position is, and where it came from.
struct LastFixSensor: MachineSensor {
    static let time = SensorDescription(
        "last_fix", "Last fix", deviceClass: "timestamp", isDiagnostic: true,
        icon: "mdi:map-clock", lasts: true, summary: "When the newest position was true.")
    static let source = SensorDescription(
        "location_source", "Location source", deviceClass: "enum", isDiagnostic: true,
        icon: "mdi:map-marker-question", lasts: true,
        summary: "Where the newest position came from: `gpsd`.")
    static let descriptions = [time, source]
    static let occasion = SensorOccasion.change
    static let reads = "gpsd: TPV"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard let fix = machine.state.fix else { return [] }
        return [
            SensorReading(Self.time, .timestamp(fix.time)),
            SensorReading(Self.source, .text(fix.source.name)),
        ]
    }
}
