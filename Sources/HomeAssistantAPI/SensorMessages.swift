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
    /// Class for a `sensor` only: a `binary_sensor` with one is refused.
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
}

extension SensorRegistration {
    /// The keys of an item of `update_sensor_states`: complete, as Home Assistant resets the icon
    /// and the attributes that an item leaves out. With a key more, it refuses the item.
    private static let updated: Set = ["unique_id", "type", "state", "attributes", "icon"]

    /// The data as JSON, with its keys in order, so that equal registrations are equal texts.
    public func json() -> String? {
        (try? JSON.bytes(self, names: .snakeCase)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The item of `update_sensor_states` for a registration in JSON; `nil` if that is no object.
    public static func update(from json: String) -> String? {
        guard case .object(let members)? = JSONValue(json: json.utf8) else { return nil }
        return JSONValue.object(members.filter { updated.contains($0.key) }).json()
    }

    /// The registration in JSON with the state `unavailable` and no attributes; `nil` if that is no object.
    public static func unavailable(from json: String) -> String? {
        guard case .object(var members)? = JSONValue(json: json.utf8) else { return nil }
        members["state"] = .string("unavailable")
        members["attributes"] = .object([:])
        return JSONValue.object(members).json()
    }

    /// Whether a registration in JSON has all that `register_sensor` needs. What an earlier version
    /// stored is an update alone.
    public static func isWhole(_ json: String) -> Bool {
        JSONValue(json: json.utf8)?["name"]?.string != nil
    }
}

/// The answer to `register_sensor` (201).
public struct SensorRegistrationReply: Decodable, Equatable, Sendable {
    public var success: Bool
}

/// Reply of Home Assistant about one item of `update_sensor_states`. The whole reply is an object
/// of these replies by unique id.
public struct SensorUpdateReply: Decodable, Equatable, Sendable {
    public struct Problem: Decodable, Equatable, Sendable {
        /// `not_registered` or `invalid_format`; the message's wording differs by version.
        public var code: String
        public var message: String?
    }

    public var success: Bool
    public var isDisabled: Bool?
    public var error: Problem?
}
