/// A field of a sensor that Home Assistant would not take, by Home Assistant's name of it.
public struct SensorProblem: Error, Equatable, CustomStringConvertible, Sendable {
    public let field: String
    /// Follows the field's name: `is missing`, `is a text where a number is due`.
    public let message: String

    public init(_ field: String, _ message: String) {
        self.field = field
        self.message = message
    }

    public var description: String { "\(field) \(message)" }
}

extension SensorDescription {
    /// The first field that Home Assistant would refuse, or with which the entity could not work.
    public var problem: SensorProblem? {
        if uniqueID.isEmpty { return SensorProblem("unique_id", "is empty") }
        if name.isEmpty { return SensorProblem("name", "is empty") }
        if !icon.hasPrefix("mdi:") || icon.contains(" ") || icon.count < 5 {
            return SensorProblem("icon", "\"\(icon)\" is not of the form mdi:name")
        }
        return kind == .sensor ? sensorProblem : binaryProblem
    }

    private var sensorProblem: SensorProblem? {
        guard let deviceClass else { return nil }
        guard DeviceClass.units[deviceClass] != nil else {
            return SensorProblem("device_class", "\"\(deviceClass)\" is not one of sensor's")
        }
        if let refusal = DeviceClass.refusal(ofUnit: unit, in: deviceClass) {
            return SensorProblem("unit_of_measurement", refusal)
        }
        if DeviceClass.textual.contains(deviceClass), stateClass != nil {
            return SensorProblem("state_class", "does not go with device_class \(deviceClass)")
        }
        return nil
    }

    private var binaryProblem: SensorProblem? {
        if let deviceClass, !DeviceClass.binary.contains(deviceClass) {
            return SensorProblem("device_class", "\"\(deviceClass)\" is not one of binary_sensor's")
        }
        if unit != nil {
            return SensorProblem("unit_of_measurement", "does not go with a binary_sensor")
        }
        if stateClass != nil {
            return SensorProblem("state_class", "does not go with a binary_sensor")
        }
        return nil
    }

    /// Whether Home Assistant expects numbers: a text would break the entity.
    var isNumeric: Bool {
        kind == .sensor
            && (unit != nil || stateClass != nil
                || deviceClass.map { !DeviceClass.textual.contains($0) } ?? false)
    }

    /// Returns the problem with a state of this sensor; `nil` if Home Assistant would show it.
    public func problem(with state: SensorValue) -> SensorProblem? {
        switch state {
        case .unknown, .unavailable: return nil
        case .boolean where kind == .binarySensor: return nil
        case _ where kind == .binarySensor:
            return SensorProblem("state", "is not true or false, as of a binary_sensor")
        case .boolean:
            return SensorProblem("state", "is true or false, which only a binary_sensor says")
        case .number(let number) where !number.isFinite:
            return SensorProblem("state", "is not a finite number")
        case .text(let text): return problem(withText: text)
        case .number, .whole:
            guard let deviceClass, DeviceClass.textual.contains(deviceClass) else { return nil }
            return SensorProblem("state", "is a number where device_class \(deviceClass) has text")
        }
    }

    private func problem(withText text: String) -> SensorProblem? {
        if isNumeric { return SensorProblem("state", "is a text where a number is due") }
        if deviceClass == "timestamp", !isTimestamp(text) {
            return SensorProblem("state", "is not a time as 2026-11-21T08:00:00+00:00")
        }
        if deviceClass == "date", !matches(text, "dddd-dd-dd") {
            return SensorProblem("state", "is not a date as 2026-11-21")
        }
        return nil
    }
}

/// ISO 8601 with an offset, which Home Assistant insists on.
private func isTimestamp(_ text: String) -> Bool {
    guard matches(text.prefix(19), "dddd-dd-ddTdd:dd:dd") else { return false }
    var rest = text.dropFirst(19)
    if rest.first == "." {
        let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
        guard (1...6).contains(digits.count) else { return false }
        rest = rest.dropFirst(digits.count + 1)
    }
    return rest == "Z" || matches(rest, "+dd:dd") || matches(rest, "-dd:dd")
}

/// Whether a text has this form, where `d` stands for a digit and everything else for itself.
private func matches(_ text: some StringProtocol, _ form: String) -> Bool {
    text.count == form.count
        && zip(text, form).allSatisfy { character, expected in
            expected == "d" ? character.isASCII && character.isNumber : character == expected
        }
}
