public import HomingBase

/// Something that can be wrong and that a person can act on: declared once, shown in the status,
/// the journal and the catalogue.
public enum Warnable: String, CaseIterable, Sendable {
    case notRegistered = "not_registered"
    case registrationUnusable = "registration_unusable"
    case noWay = "no_way"
    case portal
    case notDelivering = "not_delivering"
    case unknownWebhook = "unknown_webhook"
    case keyRefused = "key_refused"
    case gone
    case unauthorized
    case trackerMissing = "tracker_missing"
    case trackerDeleted = "tracker_deleted"
    case tls
    case foreign
    case rejected
    case unencrypted
    case secretUnproven = "secret_unproven"
    case tokenLeft = "token_left"
    case registrationShared = "registration_shared"
    case gpsdUnreachable = "gpsd_unreachable"
    case noReceiver = "no_receiver"
    case noFix = "no_fix"
    case noFixNow = "no_fix_now"
    case fixesSkipped = "fixes_skipped"
    case clockBehind = "clock_behind"
    case clockAhead = "clock_ahead"
    case outboxFailed = "outbox_failed"
    case outboxReplaced = "outbox_replaced"
    case configurationKept = "configuration_kept"
    case pushNoToken = "push_no_token"
    case pushTokenRefused = "push_token_refused"
    case pushUnreachable = "push_unreachable"
    case pushRelayNoToken = "push_relay_no_token"
    case answerExpired = "answer_expired"
    case terminalsUnreachable = "terminals_unreachable"
    case nameUnresolved = "name_unresolved"
    case noRoute = "no_route"
    case mobileAppMissing = "mobile_app_missing"
    case trackerElsewhere = "tracker_elsewhere"
    case clockWrong = "clock_wrong"
    case homeAssistantOld = "home_assistant_old"
    case configurationWrong = "configuration_wrong"
    case stateUnusable = "state_unusable"
    case filesExposed = "files_exposed"
    case scriptsUnconfined = "scripts_unconfined"
    case diskFull = "disk_full"
    case daemonNotRunning = "daemon_not_running"
    case versionsDiffer = "versions_differ"
    case systemBusMissing = "system_bus_missing"
    case networkManagerMissing = "network_manager_missing"
    case networkUnreadable = "network_unreadable"
    case notificationsMissing = "notifications_missing"

    /// How long it must last before it is shown; what mends itself sooner is no news.
    public var visibleAfter: Seconds {
        switch self {
        case .notDelivering, .unknownWebhook, .keyRefused, .foreign, .unauthorized: 15 * 60
        case .trackerMissing, .pushUnreachable: 15 * 60
        case .gpsdUnreachable, .noReceiver, .fixesSkipped, .clockBehind, .clockAhead: 2 * 60
        case .noFix: 60 * 60
        default: 0
        }
    }

    /// Seconds after which it is over unless it has come again; `nil` where its cause says when.
    public var clearsAfter: Seconds? {
        switch self {
        case .rejected, .answerExpired, .registrationShared: 24 * 3600
        default: nil
        }
    }

    /// The journal's message id, for `journalctl -x` (made by `journalctl --new-id128`).
    public var messageID: String {
        switch self {
        case .notRegistered: "7264563a3c2e401183e1366b9b2d022a"
        case .registrationUnusable: "9b87135ee9e341bdab965724378078e3"
        case .noWay: "8c6fd8af3bf24ce9ac61d0e0b4211b35"
        case .portal: "717aac49d1344f63822bce8bbaa1e63e"
        case .notDelivering: "5873b2bba6844c3b860cb61d7b8757ee"
        case .unknownWebhook: "578f7faca55c4cbaa38bbe81d27c9446"
        case .keyRefused: "52f0c12381d74f29bfaae734eb76b01a"
        case .gone: "d22addb9874142b1a06bed1892a9784f"
        case .unauthorized: "8b76c72d75cf4590ba948b940d781a02"
        case .trackerMissing: "75c9dbba0ea74afa8fecd1c36320d477"
        case .trackerDeleted: "5431dddc053b4849a9844f0d49e9f5a9"
        case .tls: "b5d8bea3dc68402191667173d429ef96"
        case .foreign: "1d81a79e59c44029a0a17feb5fefd333"
        case .rejected: "5922e177ba1540acb25dd5fd80f99fa5"
        case .unencrypted: "0b0b2649e8c2472b8d3da878294629b4"
        case .secretUnproven: "5d0c9a1be7f04e4f9d7b3a6c12e8f470"
        case .tokenLeft: "8e61d0c47b5f4f0c9a2d35e1f7a6b904"
        case .registrationShared: "c3b9b1f2d4864ac7a1f0e25b7c9d6e83"
        case .gpsdUnreachable: "0f6e450515f64dccb2e5d2dbaef1af49"
        case .noReceiver: "4c396a67d6224999b6cf046f6006cab5"
        case .noFix: "c473b82926de4f0cb3d8d864bef60866"
        case .noFixNow: "304170d454dd461e85e04326ca950dea"
        case .fixesSkipped: "a96e21cde7714ac3b0c8d3438b8b26ba"
        case .clockBehind: "52c07cff99634a7c9a8b5777c38a4ab4"
        case .clockAhead: "7404be3073c246ef8e82f8bc81653713"
        case .outboxFailed: "7c71cba9714a4311a4fe4beebc809498"
        case .outboxReplaced: "f32a925692eb4d95a9602d755eec6709"
        case .configurationKept: "59a9d6a62d874c8898265810fd0d51cc"
        case .pushNoToken: "5cd732228ddd47da84918fed70dd6974"
        case .pushTokenRefused: "e0df1f5e2d2a4218a5641f6f6ccb6b85"
        case .pushUnreachable: "1bb82ea87a1f4688886d6c02256d46af"
        case .pushRelayNoToken: "99907f4985714d189a374f9ffe0c1470"
        case .answerExpired: "f6810d589be84e52b16d663003cab529"
        case .terminalsUnreachable: "0aa604c4161448bb922a1f6106e2f16a"
        case .nameUnresolved: "4fe64e6d7fd24088b6b8b4db13fdd4c5"
        case .noRoute: "37860624130547959728dd20284f4500"
        case .mobileAppMissing: "d98a2b320f1b44c2920b19224b5aefad"
        case .trackerElsewhere: "b028309ed7804a65bc0469c15510842e"
        case .clockWrong: "c6dcc98f994847dfbefad76e4cedd012"
        case .homeAssistantOld: "76449542a884474ea5ea96ccd3a40af9"
        case .configurationWrong: "05797cde4f7642d79068a6401d3c8ec5"
        case .stateUnusable: "db1ea9c8413b4b0e9efb3c173e718eda"
        case .filesExposed: "da047bab1b1d43d39827d51def238e7f"
        case .scriptsUnconfined: "3f6e0f1ad3c64d5b9c0b7a7d51e2486c"
        case .diskFull: "68072643c0db44b9880da95ed65e5ccf"
        case .daemonNotRunning: "ebd705e4cd48426397e558c06f0258a1"
        case .versionsDiffer: "614de75d6e4d4e40a1df9fc11c4b42ff"
        case .systemBusMissing: "ce11e510894d44629c8af38033fdd969"
        case .networkManagerMissing: "2d02b1da7f994eea88a17b4270cd1003"
        case .networkUnreadable: "f6b7c47288dc47aea7dde3a1405a01e6"
        case .notificationsMissing: "883ee79ff6724cf3b7087deba7562e6d"
        }
    }
}
