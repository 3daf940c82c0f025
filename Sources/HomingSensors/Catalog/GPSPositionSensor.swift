internal import HomingLocation

/// What the tracker cannot carry: it leaves out a speed of 0 and an altitude below the sea.
struct GPSPositionSensor: MachineSensor {
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
            "Height above mean sea level. The tracker leaves it out below 0.5 m, and this does not."
    )
    static let course = SensorDescription(
        "gps_course", "GPS course", stateClass: .measurement, unit: "°", icon: "mdi:compass",
        minChange: 5, summary: "Direction of movement, clockwise from true north.")
    static let descriptions = [accuracy, speed, altitude, course]
    static let occasion = SensorOccasion.change
    static let reads = "gpsd: TPV"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard let mode = machine.state.fixMode else { return [] }
        let fix = mode == .none || machine.state.fix?.source != .gpsd ? nil : machine.state.fix
        return [
            SensorReading(Self.accuracy, .optional(fix?.accuracy)),
            SensorReading(Self.speed, .optional(fix?.speed, 1)),
            SensorReading(Self.altitude, .optional(fix?.altitude)),
            SensorReading(Self.course, .optional(fix?.course)),
        ]
    }
}
