/// Each command's word on the wire, and what goes with it.
extension ControlCommand {
    /// The word on the wire.
    public var method: String { wire.method }

    var wire: (method: String, params: (any Encodable)?) {
        switch self {
        case .status: ("status", nil)
        case .watchStatus: ("watch_status", nil)
        case .sendLocation(let params): ("send_location", params)
        case .register(let params): ("register", params)
        case .unregister: ("unregister", nil)
        case .registration: ("registration", nil)
        case .updateRegistration(let params): ("update_registration", params)
        case .enableEncryption: ("enable_encryption", nil)
        case .sendEvent(let params): ("send_event", params)
        case .callService(let params): ("call_service", params)
        case .renderTemplate(let params): ("render_template", params)
        case .zones: ("zones", nil)
        case .homeAssistantConfiguration: ("home_assistant_configuration", nil)
        case .scanTag(let params): ("scan_tag", params)
        case .say(let params): ("say", params)
        case .camera(let params): ("camera", params)
        case .readTrack(let params): ("read_track", params)
        case .examine: ("examine", nil)
        case .notify(let params): ("notify", params)
        case .receiveNotification(let params): ("receive_notification", params)
        case .refreshNotifications: ("refresh_notifications", nil)
        case .attendDesktop(let params): ("attend_desktop", params)
        case .reportDesktop(let params): ("report_desktop", params)
        }
    }

    /// - Parameter params: what stands beside the word.
    init(method: String, _ params: Parameters) throws {
        switch method {
        case "status": self = .status
        case "watch_status": self = .watchStatus
        case "send_location": self = .sendLocation(try params.read())
        case "register": self = .register(try params.read())
        case "unregister": self = .unregister
        case "registration": self = .registration
        case "update_registration": self = .updateRegistration(try params.read())
        case "enable_encryption": self = .enableEncryption
        case "send_event": self = .sendEvent(try params.read())
        case "call_service": self = .callService(try params.read())
        case "render_template": self = .renderTemplate(try params.read())
        case "zones": self = .zones
        case "home_assistant_configuration": self = .homeAssistantConfiguration
        case "scan_tag": self = .scanTag(try params.read())
        case "say": self = .say(try params.read())
        case "camera": self = .camera(try params.read())
        case "read_track": self = .readTrack(try params.read())
        case "examine": self = .examine
        case "notify": self = .notify(try params.read())
        case "receive_notification": self = .receiveNotification(try params.read())
        case "refresh_notifications": self = .refreshNotifications
        case "attend_desktop": self = .attendDesktop(try params.read())
        case "report_desktop": self = .reportDesktop(try params.read())
        default: throw ControlError(.usage, "no method \"\(method)\"")
        }
    }

    /// The parameters of a request that is being read.
    struct Parameters {
        let container: KeyedDecodingContainer<ControlRequest.CodingKeys>

        func read<Value: Decodable>() throws -> Value {
            try container.decode(Value.self, forKey: .params)
        }
    }
}
