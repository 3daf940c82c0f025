internal import HomeAssistantAPI

/// A message that is a command rather than a text, as the companion apps know them.
public enum PushCommand: Equatable, Sendable {
    /// `clear_notification` with `data.tag`.
    case clear(tag: String)
    /// `request_location_update`.
    case requestLocation
    /// `command_update_sensors`.
    case updateSensors
    /// `command_screen_lock`.
    case lockScreen
    /// `command_suspend`.
    case suspend
    /// `command_run` with `data.command`: a name of the configuration's, never a command line.
    case run(name: String)
    /// A command that Homing does not know, or that lacks a field. Phones have many.
    case unsupported(String)

    /// `nil` if the message is a text for people.
    ///
    /// - Parameters:
    ///   - tag: `data.tag`.
    ///   - command: `data.command`.
    public init?(message: String, tag: String?, command: String?) {
        switch message {
        case "clear_notification":
            let tag = PushText.identifier(tag, limit: PushMessage.tagLimit)
            self = tag.map { .clear(tag: $0) } ?? .unsupported(message)
        case "request_location_update", "request_location_updates": self = .requestLocation
        case "command_update_sensors": self = .updateSensors
        case "command_screen_lock": self = .lockScreen
        case "command_suspend": self = .suspend
        case "command_run":
            let name = PushText.identifier(command, limit: 64)
            self = name.map { .run(name: $0) } ?? .unsupported(message)
        default:
            guard NotificationPayload.isCommand(message) else { return nil }
            self = .unsupported(PushText.clean(message, limit: 64))
        }
    }

    /// The word by which the configuration permits it; `nil` for what needs no permission.
    public var permission: String? {
        switch self {
        case .clear, .unsupported: nil
        case .requestLocation: "request_location_update"
        case .updateSensors: "command_update_sensors"
        case .lockScreen: "command_screen_lock"
        case .suspend: "command_suspend"
        case .run: "command_run"
        }
    }

    /// Every word of `[push] commands`.
    public static let permissions = [
        "request_location_update", "command_update_sensors", "command_screen_lock",
        "command_suspend", "command_run",
    ]
    /// Commands that are permitted where nothing is configured: they report and change nothing.
    public static let permittedByDefault = ["request_location_update", "command_update_sensors"]

    /// Whether the command may run.
    ///
    /// - Parameters:
    ///   - permissions: words of `[push] commands`.
    ///   - names: of the commands that are configured, for `command_run`.
    public func isPermitted(by permissions: Set<String>, names: Set<String>) -> Bool {
        switch self {
        case .clear: true
        case .unsupported: false
        case .run(let name): permissions.contains("command_run") && names.contains(name)
        default: permission.map { permissions.contains($0) } ?? false
        }
    }
}
