internal import HomingLocation

/// Fix of the receiver, its view of the sky, and the newest location.
///
/// The tracker leaves out a speed of 0 and an altitude below the sea; these do not.
struct GPSSensor: MachineSensor {
    static let mode = SensorDescription(
        "gps_fix", "GPS fix", deviceClass: "enum", isDiagnostic: true,
        icon: "mdi:crosshairs-gps", urgency: .prompt, summary: "`none`, `2d` or `3d`.")
    static let accuracy = SensorDescription(
        "gps_accuracy", "GPS accuracy", deviceClass: "distance", stateClass: .measurement,
        unit: "m", isDiagnostic: true, icon: "mdi:map-marker-radius", minChange: 5,
        summary: "Radius in which the machine is, with a probability of 95 %.")
    static let speed = SensorDescription(
        "gps_speed", "GPS speed", deviceClass: "speed", stateClass: .measurement, unit: "m/s",
        icon: "mdi:speedometer", minChange: 0.5, summary: "Speed over ground.")
    static let altitude = SensorDescription(
        "gps_altitude", "GPS altitude", deviceClass: "distance", stateClass: .measurement,
        unit: "m", icon: "mdi:elevation-rise", minChange: 5,
        summary:
            "Height above mean sea level, also below 0.5 m, where the tracker has no altitude."
    )
    static let course = SensorDescription(
        "gps_course", "GPS course", stateClass: .measurement, unit: "°", icon: "mdi:compass",
        minChange: 5, summary: "Direction of movement, clockwise from true north.")
    static let used = satellites(
        "gps_satellites_used", "GPS satellites used", "Satellites used for the location.")
    static let seen = satellites(
        "gps_satellites_seen", "GPS satellites seen", "Satellites in view.")
    static let hdop = SensorDescription(
        "gps_hdop", "GPS HDOP", stateClass: .measurement, isDiagnostic: true,
        icon: "mdi:satellite-variant", minChange: 0.2,
        summary: "Horizontal dilution of precision: 1 is ideal, above 10 a guess.")
    static let time = SensorDescription(
        "last_fix", "Last fix", deviceClass: "timestamp", isDiagnostic: true,
        icon: "mdi:map-clock", lasts: true, summary: "Time of the newest location.")
    static let descriptions = [
        mode, accuracy, speed, altitude, course, used, seen, hdop, time,
    ]
    static let occasion = SensorOccasion.change
    static let reads = "gpsd"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        let state = machine.state
        var readings: [SensorReading] = []
        if let mode = state.fixMode { readings += position(mode, state.fix) }
        if let sky = state.sky {
            readings += [
                SensorReading(Self.used, .whole(sky.used)),
                SensorReading(Self.seen, .whole(sky.seen)),
                SensorReading(Self.hdop, .optional(sky.hdop, 1)),
            ]
        }
        guard let fix = state.fix else { return readings }
        return readings + [SensorReading(Self.time, .timestamp(fix.time))]
    }

    private func position(_ mode: FixMode, _ last: Fix?) -> [SensorReading] {
        let word =
            switch mode {
            case .none: "none"
            case .twoDimensional: "2d"
            case .threeDimensional: "3d"
            }
        let fix = mode == .none || last?.source != .gpsd ? nil : last
        return [
            SensorReading(Self.mode, .text(word), icon: mode == .none ? "mdi:crosshairs" : nil),
            SensorReading(Self.accuracy, .optional(fix?.accuracy)),
            SensorReading(Self.speed, .optional(fix?.speed, 1)),
            SensorReading(Self.altitude, .optional(fix?.altitude)),
            SensorReading(Self.course, .optional(fix?.course)),
        ]
    }

    private static func satellites(
        _ uniqueID: String, _ name: String, _ summary: String
    ) -> SensorDescription {
        SensorDescription(
            uniqueID, name, stateClass: .measurement, unit: "satellites", isDiagnostic: true,
            icon: "mdi:satellite-variant", minChange: 2, summary: summary)
    }
}
