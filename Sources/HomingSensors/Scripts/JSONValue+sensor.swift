internal import HomingJSON

extension JSONValue {
    /// State of a sensor with this value; `nil` for a list or an object.
    var sensorValue: SensorValue? {
        switch self {
        case .null: .unknown
        case .boolean(let value): .boolean(value)
        case .whole(let value): .whole(value)
        case .number(let value): .number(value)
        case .string(let value): .text(value)
        case .array, .object: nil
        }
    }
}
