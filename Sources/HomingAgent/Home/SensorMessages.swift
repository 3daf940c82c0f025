internal import HomeAssistantAPI
internal import HomingJSON
internal import HomingSensors

extension SensorRegistration {
    /// A reading's sensor, with its present state.
    init(_ reading: SensorReading) {
        let sensor = reading.sensor
        self.init(
            uniqueID: sensor.uniqueID, name: sensor.name, type: sensor.kind.rawValue,
            deviceClass: sensor.deviceClass, stateClass: sensor.stateClass?.rawValue,
            unitOfMeasurement: sensor.unit,
            entityCategory: sensor.isDiagnostic ? "diagnostic" : nil,
            icon: reading.icon ?? sensor.icon, state: reading.state.json,
            attributes: reading.attributes.mapValues(\.json))
    }
}

extension SensorValue {
    fileprivate var json: JSONValue {
        switch self {
        case .number(let value): .number(value)
        case .whole(let value): .whole(value)
        case .text(let text): .string(text)
        case .boolean(let value): .boolean(value)
        case .unknown: .null
        // Of binary sensors too: before it reads the state as on or off, Home Assistant looks
        // whether it is this word.
        case .unavailable: .string("unavailable")
        }
    }
}
