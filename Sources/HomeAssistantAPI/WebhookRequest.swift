internal import HomingJSON

/// A command of the mobile_app webhook (homeassistant/components/mobile_app/webhook.py).
public enum WebhookRequest: Equatable, Sendable {
    case getConfig
    case getZones
    case updateLocation(LocationUpdate)
    case track(TrackEvent)
    /// `data` is a JSON object in text, kept as it is.
    case fireEvent(type: String, data: String)
    /// The data as `SensorRegistration.json()` made it.
    case registerSensor(String)
    /// Items as `SensorRegistration.update(from:)` made them.
    case updateSensorStates([String])
    /// Answered when the service has finished; a failure of any kind is answered with 0 bytes.
    case callService(ServiceCall)
    /// Renders templates by name; each may have variables.
    case renderTemplate([String: Template])
    case scanTag(id: String)
    case processConversation(ConversationInput)
    case streamCamera(entityID: String)
    case updateRegistration(RegistrationUpdate)
    /// Answered once with the secret, in the clear.
    case enableEncryption
    /// Echoes `nonce` and tells what Home Assistant holds for the tracker of its device.
    case receipt(nonce: String, deviceID: String)
    /// The same by the names that a receipt told. The witness is an entity whose last change is wanted.
    case shortReceipt(nonce: String, tracker: String, witness: String?)

    /// The command's name, which travels in the clear even when the data is sealed: `"encrypted"`,
    /// as the developer page has it, is a type Home Assistant does not know.
    public var type: String { traits.type }

    /// Whether twice is as good as once.
    public var isRepeatable: Bool { traits.isRepeatable }

    /// Whether success has a reply of its own.
    public var expectsReply: Bool { traits.expectsReply }

    private var traits: (type: String, isRepeatable: Bool, expectsReply: Bool) {
        switch self {
        case .getConfig: ("get_config", true, true)
        case .getZones: ("get_zones", true, true)
        case .updateLocation: ("update_location", true, false)
        case .track: ("fire_event", true, false)
        case .fireEvent: ("fire_event", false, false)
        case .registerSensor: ("register_sensor", true, true)
        case .updateSensorStates: ("update_sensor_states", true, true)
        case .callService: ("call_service", false, false)
        case .renderTemplate, .receipt, .shortReceipt: ("render_template", true, true)
        case .scanTag: ("scan_tag", false, false)
        case .processConversation: ("conversation_process", false, true)
        case .streamCamera: ("stream_camera", true, true)
        case .updateRegistration: ("update_registration", true, true)
        case .enableEncryption: ("enable_encryption", false, true)
        }
    }

    /// The command's data as JSON.
    func data() throws -> [UInt8] {
        switch self {
        case .getConfig, .getZones, .enableEncryption: Array("{}".utf8)
        case .updateLocation(let update): update.json()
        case .track(let track):
            try JSON.bytes(Event(eventData: track), names: .snakeCase)
        case .fireEvent(let type, let data):
            // The data is JSON already; only the type needs quoting.
            try Array("{\"event_type\":".utf8) + JSON.bytes(type)
                + Array(",\"event_data\":\(data)}".utf8)
        case .registerSensor(let data): Array(data.utf8)
        case .updateSensorStates(let items):
            // The items are JSON already.
            Array("[\(items.joined(separator: ","))]".utf8)
        case .callService(let call): try JSON.bytes(call)
        case .renderTemplate(let templates): try JSON.bytes(templates)
        case .scanTag(let id): try JSON.bytes(["tag_id": id])
        case .processConversation(let input): try JSON.bytes(input, names: .snakeCase)
        case .streamCamera(let entity): try JSON.bytes(["camera_entity_id": entity])
        case .updateRegistration(let update): try JSON.bytes(update, names: .snakeCase)
        case .receipt(let nonce, let device):
            try Self.receipt(ReceiptTemplate.text(nonce: nonce, deviceID: device))
        case .shortReceipt(let nonce, let tracker, let witness):
            try Self.receipt(
                ReceiptTemplate.short(nonce: nonce, tracker: tracker, witness: witness))
        }
    }

    private static func receipt(_ template: String) throws -> [UInt8] {
        try JSON.bytes(["r": ["template": template]])
    }

    private struct Event: Encodable {
        let eventType = TrackEvent.type
        let eventData: TrackEvent
    }
}
