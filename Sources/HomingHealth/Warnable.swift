public import HomingBase

/// Something that can be wrong and that a person can act on: declared once, shown in the status,
/// the journal and the catalogue.
///
/// All that is said of one stands in its entry, in the table of its subject:
/// `Warnable+home.swift` or `Warnable+machine.swift`.
///
/// Long: an entry for each fault, and no behaviour.
public struct Warnable: Hashable, Sendable {
    /// Subject of the warnable.
    public enum Subject: Sendable {
        /// A home: the route to its Home Assistant, our registration there, what it knows of this
        /// machine, its queue, its notifications. Of two homes one alone can have it.
        case home
        /// This machine: receiver and clock, networks, disk and files, configuration, buses and
        /// desktop, the daemon itself. It is so for every home.
        case machine
    }

    /// Severity of the fault.
    public enum Severity: String, Sendable {
        /// Fault by which nothing can be delivered, or what is secret may be known.
        case error
        /// Something is missing or may go wrong; the rest works.
        case warning
    }

    /// Its name for programs and for `docs/troubleshooting.md`: it never changes.
    public let code: String
    public let subject: Subject
    public let severity: Severity
    /// The journal's message id, for `journalctl -x` (made by `journalctl --new-id128`).
    public let messageID: String
    /// Sentence about what is wrong; a detail may follow the sentence.
    public let text: String
    /// The good state, in a sentence, for the journal.
    public let resolved: String
    /// Advice on what to do about the fault.
    public let hint: String
    /// Time that the fault must last before it is shown; a fault that ends sooner is no news.
    public let visibleAfter: Seconds
    /// Seconds after which it is over unless it has come again; `nil` where its cause says when.
    public let clearsAfter: Seconds?
    /// Warnables that explain this warnable. While one of them is shown, this warnable says nothing
    /// new. A circle does not compile.
    public let dependsOn: [Warnable]

    init(
        _ code: String, _ subject: Subject, _ severity: Severity, id: String, _ text: String,
        resolved: String, hint: String, visibleAfter: Seconds = 0, clearsAfter: Seconds? = nil,
        dependsOn: [Warnable] = []
    ) {
        self.code = code
        self.subject = subject
        self.severity = severity
        self.messageID = id
        self.text = text
        self.resolved = resolved
        self.hint = hint
        self.visibleAfter = visibleAfter
        self.clearsAfter = clearsAfter
        self.dependsOn = dependsOn
    }

    /// The one of this code.
    public init?(code: String) {
        guard let known = Warnable.all.first(where: { $0.code == code }) else { return nil }
        self = known
    }

    public static func == (left: Warnable, right: Warnable) -> Bool { left.code == right.code }

    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// All, in the order in which they are shown. A test fails while an entry is missing here.
    public static let all: [Warnable] = [
        .notRegistered, .registrationUnusable, .noEndpoint, .portal, .notDelivering,
        .unknownWebhook,
        .keyRefused, .gone, .unauthorized, .trackerMissing, .trackerDeleted, .tls, .foreign,
        .rejected, .unencrypted, .secretUnproven, .tokenLeft, .registrationShared,
        .anotherMachine, .imageCopy, .gpsdUnreachable,
        .noReceiver, .noFix, .noFixNow, .fixesSkipped, .clockBehind, .clockAhead, .homeUnusable,
        .outboxFailed, .journalFailed, .outboxReplaced, .configurationKept, .pushNoToken,
        .pushTokenRefused, .pushUnreachable, .pushRelayNoToken, .relayUnreachable, .relayRefused,
        .relayUnusable,
        .answerExpired, .terminalsUnreachable, .nameUnresolved,
        .noRoute, .mobileAppMissing, .trackerElsewhere, .clockWrong, .homeAssistantOld,
        .configurationWrong, .stateUnusable, .filesExposed, .scriptsUnconfined, .diskFull,
        .dataBudgetShort,
        .daemonNotRunning, .daemonHangs, .usersDaemon, .twoDaemons, .versionsDiffer,
        .systemBusMissing, .networkManagerMissing,
        .networkUnreadable, .notificationsMissing,
    ]
}
