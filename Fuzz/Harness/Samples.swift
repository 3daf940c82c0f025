internal import HomeAssistantAPI
internal import HomingDelivery
internal import HomingJSON
internal import HomingLocation

/// Values that a rig needs and no input decides.
enum Samples {
    /// Nonce that a receipt must echo.
    static let nonce = "0123456789abcdef"

    static var coordinate: Coordinate {
        guard let place = Coordinate(latitude: 52.37, longitude: 4.87) else {
            fatalError("no place")
        }
        return place
    }

    static var position: OutboxMessage {
        let fix = Fix(coordinate: coordinate, accuracy: 4.5, time: 1_800_000_000)
        return .location(LocationMessage(place: .fix(fix), battery: 80))
    }

    static var sensor: OutboxMessage {
        let registration = SensorRegistration(
            uniqueID: "load_1m", name: "Load 1 min", type: "sensor", deviceClass: nil,
            stateClass: "measurement", unitOfMeasurement: nil, entityCategory: "diagnostic",
            icon: "mdi:chip", state: .number(0.5), attributes: [:])
        return .sensor(SensorMessage(uniqueID: "load_1m", item: registration.json() ?? ""))
    }

    static func entry(_ message: OutboxMessage) -> OutboxEntry {
        OutboxEntry(
            id: EntryID(message.stream, 1), message: message, acceptedAt: 1_800_000_000)
    }

    /// Each kind of request.
    static var requests: [Request] {
        let event = OutboxMessage.event(EventMessage(type: "homing_test", data: "{}"))
        return [
            .configuration, .zones, .receipt, .location(entry(position)),
            .track([entry(position)]), .event(entry(event)), .sensors([entry(sensor)]),
            .registerSensor(entry(sensor)),
            .shortReceipt(
                TrackerNames(tracker: "device_tracker.van", witness: "sensor.van_load_1m")),
        ]
    }

    static func registration(secret: String?) -> Registration {
        Registration(
            instanceURL: "http://127.0.0.1:8123", cloudhookURL: nil, remoteUIURL: nil,
            webhookID: "webhook", secret: secret, deviceID: "device", deviceName: "Van",
            homeNetworks: [], authorization: nil)
    }
}

/// Whether the bytes are a JSON object.
func isObject(_ bytes: [UInt8]) -> Bool {
    if case .object? = JSONValue(json: bytes) { true } else { false }
}
