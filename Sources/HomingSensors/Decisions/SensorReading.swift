/// Present state of a sensor.
public struct SensorReading: Equatable, Sendable {
    public let sensor: SensorDescription
    /// A text in it has at most 255 Unicode scalars, the last an ellipsis if it was cut.
    public let state: SensorValue
    /// Further facts; Home Assistant forgets those a later reading leaves out.
    public let attributes: [String: SensorValue]
    /// Icon in place of the sensor's own, if the state has one.
    public let icon: String?

    public init(
        _ sensor: SensorDescription, _ state: SensorValue,
        attributes: [String: SensorValue] = [:], icon: String? = nil
    ) {
        self.sensor = sensor
        self.state = state.fitted
        self.attributes = attributes.mapValues(\.fitted)
        self.icon = icon
    }

    /// That sensor, gone: what it was read from is away.
    public static func unavailable(_ sensor: SensorDescription) -> SensorReading {
        SensorReading(sensor, .unavailable)
    }

    /// Bytes of its texts, about what it takes in memory.
    public var size: Int {
        let texts = [sensor.uniqueID, sensor.name, sensor.icon, sensor.unit, sensor.deviceClass]
        let fixed = texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) } + (icon?.utf8.count ?? 0)
        return attributes.reduce(fixed + state.size) { $0 + $1.key.utf8.count + $1.value.size }
    }

    /// Whether this one, after that one, is worth telling.
    func differs(from last: SensorReading) -> Bool {
        stateDiffers(from: last) || attributes != last.attributes
    }

    /// Whether what people see of it differs: the state by at least `minChange`, or the icon.
    func stateDiffers(from last: SensorReading) -> Bool {
        if icon != last.icon { return true }
        guard let new = state.number, let old = last.state.number else {
            return state != last.state
        }
        // The tolerance is for 0.3 - 0.2, which is not quite 0.1.
        return new != old && abs(new - old) >= sensor.minChange * (1 - 1e-9)
    }
}
