internal import FoundationEssentials
internal import HomingCore

/// Any JSON, as it was read.
enum JSONValue: Equatable {
    case null
    case boolean(Bool)
    case whole(Int)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// `nil` if the bytes are no JSON.
    init?(_ bytes: [UInt8]) {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)) else {
            return nil
        }
        self = value
    }

    /// What a sensor can say with it; `nil` for a list or an object.
    var sensorValue: SensorValue? {
        switch self {
        case .null: .unknown
        case .boolean(let value): .boolean(value)
        case .whole(let value): .whole(value)
        case .number(let value): .number(value)
        case .text(let value): .text(value)
        case .list, .object: nil
        }
    }
}

extension JSONValue: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int.self) {
            self = .whole(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }
}
