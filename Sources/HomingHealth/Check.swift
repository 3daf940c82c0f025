/// Checks of `homing doctor`, in its order.
public enum Check: String, CaseIterable, Codable, Sendable {
    case configuration
    case state
    case files
    case disk
    case daemon
    case version
    case warnings
    case bus
    case networkManager = "network_manager"
    case network
    case notifications
    case channel
    case relay
    case front
    case gpsd
    case receiver
    case fix
    case registration
    case name
    case route
    case tls
    case answer
    case key
    case mobileApp = "mobile_app"
    case homeAssistant = "home_assistant"
    case clock
    case tracker
    case place

    /// Title of the check in the report.
    public var title: String {
        switch self {
        case .state: "State folder"
        case .files: "Secret files"
        case .bus: "System bus"
        case .networkManager: "NetworkManager"
        case .gpsd: "gpsd"
        case .channel: "Notification channel"
        case .route: "Connection"
        case .tls: "TLS"
        case .key: "Encryption"
        case .mobileApp: "mobile_app"
        case .homeAssistant: "Home Assistant"
        case .name: "Address"
        case .place: "Location"
        default: rawValue.prefix(1).uppercased() + rawValue.dropFirst()
        }
    }
}
