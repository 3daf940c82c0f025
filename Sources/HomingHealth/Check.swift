/// What `homing doctor` looks at, in its order.
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

    /// What it is called in the report.
    public var title: String {
        switch self {
        case .configuration: "Configuration"
        case .state: "State folder"
        case .files: "Secret files"
        case .disk: "Disk"
        case .daemon: "Daemon"
        case .version: "Version"
        case .warnings: "Warnings"
        case .bus: "System bus"
        case .networkManager: "NetworkManager"
        case .network: "Network"
        case .notifications: "Notifications"
        case .gpsd: "gpsd"
        case .receiver: "Receiver"
        case .fix: "Fix"
        case .registration: "Registration"
        case .name: "Name"
        case .route: "Connection"
        case .tls: "TLS"
        case .answer: "Answer"
        case .key: "Proof of key"
        case .mobileApp: "mobile_app"
        case .homeAssistant: "Home Assistant"
        case .clock: "Clock"
        case .tracker: "Tracker"
        case .place: "Place"
        }
    }
}
