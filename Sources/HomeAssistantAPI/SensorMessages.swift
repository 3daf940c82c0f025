public import HomingJSON

/// The data of `register_sensor` (mobile_app/webhook.py). All that Home Assistant keeps of a sensor
/// for good; answered 201.
///
/// `disabled` is never sent: to send `false` would enable what the user has disabled.
public struct SensorRegistration: Encodable, Equatable, Sendable {
    public var uniqueID: String
    public var name: String
    /// `sensor` or `binary_sensor`.
    public var type: String
    public var deviceClass: String?
    /// For a `sensor` only: a `binary_sensor` with one is refused.
    public var stateClass: String?
    public var unitOfMeasurement: String?
    /// `diagnostic`, or none.
    public var entityCategory: String?
    public var icon: String
    public var state: JSONValue
    public var attributes: [String: JSONValue]

    public init(
        uniqueID: String, name: String, type: String, deviceClass: String? = nil,
        stateClass: String? = nil, unitOfMeasurement: String? = nil, entityCategory: String? = nil,
        icon: String, state: JSONValue = .null, attributes: [String: JSONValue] = [:]
    ) {
        self.uniqueID = uniqueID
        self.name = name
        self.type = type
        self.deviceClass = deviceClass
        self.stateClass = type == "binary_sensor" ? nil : stateClass
        self.unitOfMeasurement = unitOfMeasurement
        self.entityCategory = entityCategory
        self.icon = icon
        self.state = state
        self.attributes = attributes
    }

    private enum CodingKeys: String, CodingKey {
        case uniqueID = "unique_id"
        case name
        case type
        case deviceClass = "device_class"
        case stateClass = "state_class"
        case unitOfMeasurement = "unit_of_measurement"
        case entityCategory = "entity_category"
        case icon
        case state
        case attributes
    }
}

/// One item of `update_sensor_states`: complete, as Home Assistant resets the icon and the
/// attributes that an item leaves out.
public struct SensorUpdate: Encodable, Equatable, Sendable {
    /// Characters of a state that Home Assistant keeps; a longer one becomes `unknown`.
    public static let maxStateLength = 255

    public var uniqueID: String
    /// As registered: another type is answered `not_registered`.
    public var type: String
    public var state: JSONValue
    public var attributes: [String: JSONValue]
    public var icon: String

    public init(
        uniqueID: String, type: String, state: JSONValue, attributes: [String: JSONValue],
        icon: String
    ) {
        self.uniqueID = uniqueID
        self.type = type
        if case .string(let text) = state {
            self.state = .string(String(text.prefix(Self.maxStateLength)))
        } else {
            self.state = state
        }
        self.attributes = attributes
        self.icon = icon
    }

    /// The item as JSON, with its keys in order, so that equal items are equal texts.
    public func json() -> String? {
        (try? JSON.bytes(self)).map { String(decoding: $0, as: UTF8.self) }
    }

    private enum CodingKeys: String, CodingKey {
        case uniqueID = "unique_id"
        case type
        case state
        case attributes
        case icon
    }
}

/// The answer to `register_sensor` (201).
public struct SensorRegistrationReply: Decodable, Equatable, Sendable {
    public var success: Bool
}

/// What Home Assistant says of one item of `update_sensor_states`; the reply is an object of these
/// by unique id.
public struct SensorUpdateReply: Decodable, Equatable, Sendable {
    public struct Problem: Decodable, Equatable, Sendable {
        /// `not_registered` or `invalid_format`; the message's wording differs by version.
        public var code: String
        public var message: String?
    }

    public var success: Bool
    public var isDisabled: Bool?
    public var error: Problem?

    private enum CodingKeys: String, CodingKey {
        case success
        case isDisabled = "is_disabled"
        case error
    }
}
