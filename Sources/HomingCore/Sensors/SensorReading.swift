/// A state, or an attribute, as JSON knows it.
public enum SensorValue: Equatable, Sendable {
    case number(Double)
    case whole(Int)
    case text(String)
    case boolean(Bool)
    /// `null`: it exists and is not known at the moment.
    case unknown
    /// Home Assistant's `unavailable`: whoever told it is away (asleep, shut down).
    case unavailable
}

/// What a sensor says now.
public struct SensorReading: Equatable, Sendable {
    public var sensor: SensorDescription
    public var state: SensorValue
    /// Further facts; Home Assistant forgets those a later reading leaves out.
    public var attributes: [String: SensorValue]
    /// In place of the sensor's own, if the state has one.
    public var icon: String?

    public init(
        _ sensor: SensorDescription, _ state: SensorValue,
        attributes: [String: SensorValue] = [:], icon: String? = nil
    ) {
        self.sensor = sensor
        self.state = state
        self.attributes = attributes
        self.icon = icon
    }

    /// Whether this one, after that one, is worth telling.
    func differs(from last: SensorReading) -> Bool {
        if icon != last.icon { return true }
        guard let new = state.number, let old = last.state.number else {
            return state != last.state || attributes != last.attributes
        }
        return new != old && abs(new - old) >= sensor.minChange || attributes != last.attributes
    }
}

extension SensorValue {
    /// A number rounded to so many decimals; `unknown` if it is none.
    public static func rounded(_ value: Double, _ decimals: Int = 0) -> SensorValue {
        guard value.isFinite, abs(value) < 1e15 else { return .unknown }
        guard decimals > 0 else { return .whole(Int(value.rounded())) }
        let scale = [10.0, 100, 1000, 10_000, 100_000, 1_000_000][min(decimals, 6) - 1]
        return .number((value * scale).rounded() / scale)
    }

    /// The value, where there may be none.
    public static func optional(_ text: String?) -> SensorValue { text.map { .text($0) } ?? .unknown }

    /// The number it stands for, if it is one.
    var number: Double? {
        switch self {
        case .number(let value): value
        case .whole(let value): Double(value)
        default: nil
        }
    }
}
