internal import HomingLocation

/// How good the receiver's view of the sky is.
struct GPSSatellitesSensor: MachineSensor {
    static let used = description(
        "gps_satellites_used", "GPS satellites used", "Satellites the position is made from.")
    static let seen = description(
        "gps_satellites_seen", "GPS satellites seen", "Satellites in view.")
    static let hdop = SensorDescription(
        "gps_hdop", "GPS HDOP", stateClass: .measurement, isDiagnostic: true,
        icon: "mdi:satellite-variant", minChange: 0.2,
        summary: "Horizontal dilution of precision: 1 is ideal, above 10 a guess.")
    static let descriptions = [used, seen, hdop]
    static let occasion = SensorOccasion.change
    static let reads = "gpsd: SKY"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard let sky = machine.state.sky else { return [] }
        return [
            SensorReading(Self.used, .whole(sky.used)), SensorReading(Self.seen, .whole(sky.seen)),
            SensorReading(Self.hdop, .optional(sky.hdop, 1)),
        ]
    }

    private static func description(
        _ uniqueID: String, _ name: String, _ summary: String
    ) -> SensorDescription {
        SensorDescription(
            uniqueID, name, stateClass: .measurement, unit: "satellites", isDiagnostic: true,
            icon: "mdi:satellite-variant", minChange: 2, summary: summary)
    }
}
