/// The word of each command on the wire, and who may use it.
public enum ControlMethod: String, CaseIterable, CodingKey, VerbMethod {
    case status
    case watchStatus = "watch_status"
    case homes
    case removeHome = "remove_home"
    case renameHome = "rename_home"
    case sendLocation = "send_location"
    case networks
    case judgeNetworks = "judge_networks"
    case register
    case unregister
    case registration
    case updateRegistration = "update_registration"
    case keepRegistration = "keep_registration"
    case enableEncryption = "enable_encryption"
    case sendEvent = "send_event"
    case callService = "call_service"
    case renderTemplate = "render_template"
    case zones
    case homeAssistantConfiguration = "home_assistant_configuration"
    case scanTag = "scan_tag"
    case say
    case camera
    case readTrack = "read_track"
    case reload
    case examine
    case notify
    case notifications
    case receiveNotification = "receive_notification"
    case joinRelay = "join_relay"
    case leaveRelay = "leave_relay"
    case checkRelay = "check_relay"
    case testRelay = "test_relay"
    case refreshNotifications = "refresh_notifications"
    case attendDesktop = "attend_desktop"
    case reportDesktop = "report_desktop"

    /// Whether who sits in front of the machine may ask it, too.
    public var isForWhoIsInFront: Bool { self == .notify }

    /// Whether every user of this machine may call the method. What strangers are told is less:
    /// `StatusReport.forStrangers`; a desktop is attended to by who sits at the machine alone.
    public var isForEveryone: Bool {
        [.status, .watchStatus, .attendDesktop, .reportDesktop].contains(self)
    }
}
