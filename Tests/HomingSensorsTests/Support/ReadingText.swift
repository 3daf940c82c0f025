import HomingSensors

/// Readings as text, one a line: id, state with unit, what Home Assistant is told of the sensor, and
/// attributes.
func text(of readings: [SensorReading]) -> String {
    readings.map { reading in
        let sensor = reading.sensor
        let facts = [
            sensor.kind.rawValue, sensor.deviceClass, sensor.stateClass?.rawValue,
            sensor.isDiagnostic ? "diagnostic" : nil, reading.icon ?? sensor.icon,
            sensor.name.debugDescription, sensor.offBecause.map { _ in "off" },
        ]
        let attributes = reading.attributes.sorted { $0.key < $1.key }
            .map { " \($0.key)=\(text(of: $0.value))" }.joined()
        let unit = sensor.unit.map { " \($0)" } ?? ""
        return "\(sensor.uniqueID): \(text(of: reading.state))\(unit) "
            + "(\(facts.compactMap { $0 }.joined(separator: " ")))\(attributes)\n"
    }.joined()
}

func text(of value: SensorValue) -> String {
    switch value {
    case .number(let number): "\(number)"
    case .whole(let number): "\(number)"
    case .text(let text): text.debugDescription
    case .boolean(let value): "\(value)"
    case .unknown: "null"
    case .unavailable: "unavailable"
    }
}
