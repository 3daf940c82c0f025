extension Warnable {
    /// How much it matters.
    public enum Severity: String, Sendable {
        /// Nothing gets home, or what is secret may be known.
        case error
        /// Something is missing or may go wrong; the rest works.
        case warning
    }

    /// How much it matters.
    public var severity: Severity {
        switch self {
        case .registrationUnusable, .noWay, .notDelivering, .unknownWebhook,
            .keyRefused, .gone, .unauthorized, .tls, .foreign, .outboxFailed, .nameUnresolved,
            .noRoute, .mobileAppMissing, .configurationWrong, .stateUnusable, .filesExposed,
            .daemonNotRunning:
            .error
        default: .warning
        }
    }

    /// What explains it: while one of these is shown, this one says nothing new.
    public var dependsOn: [Warnable] {
        switch self {
        case .registrationUnusable, .unencrypted, .secretUnproven, .noWay: [.notRegistered]
        case .portal: []
        case .nameUnresolved, .noRoute: [.notRegistered, .portal]
        case .notDelivering: [.notRegistered, .portal, .noWay, .nameUnresolved, .noRoute]
        case .tls: [.notRegistered, .portal, .nameUnresolved, .noRoute]
        case .foreign, .unauthorized: [.notRegistered, .portal, .tls, .nameUnresolved, .noRoute]
        case .mobileAppMissing, .gone: [.notRegistered]
        case .unknownWebhook, .keyRefused: [.notRegistered, .mobileAppMissing, .gone]
        case .trackerMissing, .trackerDeleted: [.unknownWebhook, .keyRefused, .gone]
        case .trackerElsewhere:
            [.trackerMissing, .trackerDeleted, .notDelivering, .daemonNotRunning]
        case .noReceiver: [.gpsdUnreachable]
        case .noFix, .fixesSkipped: [.gpsdUnreachable, .noReceiver]
        case .noFixNow: [.gpsdUnreachable, .noReceiver, .noFix]
        case .networkManagerMissing: [.systemBusMissing]
        case .networkUnreadable: [.networkManagerMissing, .systemBusMissing]
        case .versionsDiffer: [.daemonNotRunning]
        case .pushUnreachable: [.pushTokenRefused]
        default: []
        }
    }
}
