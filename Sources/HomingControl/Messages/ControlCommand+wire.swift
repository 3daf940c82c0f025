public import HomingJSON
import HomingSocket

/// Each command's method, and its parameters.
extension ControlCommand {
    public static let program = "homing"

    public var method: ControlMethod {
        switch self {
        case .status: .status
        case .watchStatus: .watchStatus
        case .homes: .homes
        case .removeHome: .removeHome
        case .renameHome: .renameHome
        case .sendLocation: .sendLocation
        case .register: .register
        case .unregister: .unregister
        case .registration: .registration
        case .updateRegistration: .updateRegistration
        case .enableEncryption: .enableEncryption
        case .sendEvent: .sendEvent
        case .callService: .callService
        case .renderTemplate: .renderTemplate
        case .zones: .zones
        case .homeAssistantConfiguration: .homeAssistantConfiguration
        case .scanTag: .scanTag
        case .say: .say
        case .camera: .camera
        case .readTrack: .readTrack
        case .examine: .examine
        case .notify: .notify
        case .receiveNotification: .receiveNotification
        case .refreshNotifications: .refreshNotifications
        case .attendDesktop: .attendDesktop
        case .reportDesktop: .reportDesktop
        }
    }

    public var parameters: (any Encodable)? {
        switch self {
        case .renameHome(let params): params
        case .sendLocation(let params): params
        case .register(let params): params
        case .updateRegistration(let params): params
        case .enableEncryption(let params): params
        case .sendEvent(let params): params
        case .callService(let params): params
        case .renderTemplate(let params): params
        case .scanTag(let params): params
        case .say(let params): params
        case .camera(let params): params
        case .readTrack(let params): params
        case .notify(let params): params
        case .receiveNotification(let params): params
        case .attendDesktop(let params): params
        case .reportDesktop(let params): params
        case .status, .watchStatus, .homes, .removeHome, .unregister, .registration, .zones,
            .homeAssistantConfiguration, .examine, .refreshNotifications:
            nil
        }
    }

    public init(_ method: ControlMethod, _ params: JSONValue) throws {
        func read<Value: Decodable>() throws -> Value { try params.decoded(as: Value.self) }
        switch method {
        case .status: self = .status
        case .watchStatus: self = .watchStatus
        case .homes: self = .homes
        case .removeHome: self = .removeHome
        case .renameHome: self = .renameHome(try read())
        case .sendLocation: self = .sendLocation(try read())
        case .register: self = .register(try read())
        case .unregister: self = .unregister
        case .registration: self = .registration
        case .updateRegistration: self = .updateRegistration(try read())
        case .enableEncryption: self = .enableEncryption(try read())
        case .sendEvent: self = .sendEvent(try read())
        case .callService: self = .callService(try read())
        case .renderTemplate: self = .renderTemplate(try read())
        case .zones: self = .zones
        case .homeAssistantConfiguration: self = .homeAssistantConfiguration
        case .scanTag: self = .scanTag(try read())
        case .say: self = .say(try read())
        case .camera: self = .camera(try read())
        case .readTrack: self = .readTrack(try read())
        case .examine: self = .examine
        case .notify: self = .notify(try read())
        case .receiveNotification: self = .receiveNotification(try read())
        case .refreshNotifications: self = .refreshNotifications
        case .attendDesktop: self = .attendDesktop(try read())
        case .reportDesktop: self = .reportDesktop(try read())
        }
    }
}
