internal import HomeAssistantAPI
public import HomingNotifications

/// Between the daemon and the helper in a person's session. The helper attends, gets orders as
/// events, and reports what became of them. It is told what it has to show and nothing else: no
/// data that goes back to Home Assistant, no address, no token.
extension ControlCommand {
    /// The helper is there.
    public struct AttendDesktop: Codable, Equatable, Sendable {
        /// The helper's.
        public var version: String
        /// The keys of what is on the screen from an earlier connection.
        public var shown: [String]
        /// Events since that connection ended.
        public var reports: [DesktopReport]

        public init(version: String, shown: [String], reports: [DesktopReport]) {
            self.version = version
            self.shown = shown
            self.reports = reports
        }
    }
}

/// Outcome of a command, as the helper tells the daemon.
public enum DesktopReport: Codable, Equatable, Sendable {
    /// The notification server has it. `handle` is the helper's word for it, which it is given
    /// again if a later helper has to show the same.
    case shown(key: String, handle: String?)
    case failed(key: String, reason: String)
    /// A button was pressed, by its place among them, `age` seconds ago.
    case chosen(key: String, button: Int, reply: String?, age: Double)
    case clicked(key: String, age: Double)
    case dismissed(key: String)
    case gone(key: String)
    /// A text was asked for; neither text nor problem is: the person thought better of it.
    case asked(number: Int, text: String?, problem: String?)
    /// An address was to be opened, or a deed to be done.
    case done(number: Int, problem: String?)
}

/// Command that the daemon gives to the helper.
public enum DesktopOrder: Codable, Equatable, Sendable {
    /// Welcome: the daemon hears the helper, and has taken the reports of the greeting.
    case welcome
    /// Another helper of the same user has come: end.
    case superseded
    case show(notification: DesktopNotification)
    case clear(tag: String)
    case close(key: String)
    /// Ask for a text, about a notification that the person has just answered.
    case ask(number: Int, key: String, question: String, button: String?)
    /// Open a web address, which the person has just asked for by this notification.
    case open(number: Int, key: String, address: String)
    /// Deed before this uptime alone: who comes back after an hour is not to lock what was
    /// unlocked.
    case perform(number: Int, deed: SessionDeed, until: Double)
}

/// Deed that can be done to the person's session.
public enum SessionDeed: String, Codable, Sendable {
    case lock
    case suspend
}

/// A notification as far as it is shown.
public struct DesktopNotification: Codable, Equatable, Sendable {
    public struct Button: Codable, Equatable, Sendable {
        public var title: String
        public var isDestructive: Bool
        public var asksForText: Bool
        public var textButton: String?
        public var placeholder: String?
    }

    /// Names it in reports; nobody can guess it.
    public var key: String
    /// The word of an earlier helper for it: it may still be on the screen.
    public var handle: String?
    public var message: String
    public var title: String?
    public var subtitle: String?
    public var tag: String?
    /// `PushMessage.Urgency`.
    public var urgency: Int
    public var isSilent: Bool
    /// Seconds.
    public var timeout: Double?
    public var isPersistent: Bool
    /// Takes answers until it is closed; each is reported.
    public var isSticky: Bool
    public var isAlertedOnce: Bool
    public var percent: Int?
    public var isClickable: Bool
    public var buttons: [Button]
    /// The picture's file, in Base64.
    public var picture: String?
}

extension DesktopNotification {
    public init(_ message: PushMessage, key: String, handle: String? = nil, picture: String? = nil)
    {
        var percent: Int?
        if case .percent(let value)? = message.progress { percent = value }
        self.init(
            key: key, handle: handle, message: message.message, title: message.heading,
            subtitle: message.subtitle, tag: message.tag, urgency: message.urgency.rawValue,
            isSilent: message.sound == .silent, timeout: message.timeout,
            isPersistent: message.isPersistent, isSticky: message.isSticky,
            isAlertedOnce: message.isAlertedOnce, percent: percent,
            isClickable: message.opens != nil, buttons: message.actions.map(Button.init),
            picture: picture)
    }

    /// The same for a notifier. Its `data`, which a notification's answers bring back, is the key;
    /// the ids of its actions are their numbers.
    public var shownMessage: PushMessage {
        let actions = buttons.enumerated().map { number, button in
            OfferedAction(
                id: "\(number)", title: button.title, asksForText: button.asksForText,
                textButton: button.textButton, textPlaceholder: button.placeholder,
                destructive: button.isDestructive)
        }
        let urgency = PushMessage.Urgency(rawValue: urgency) ?? .normal
        let progress = percent.map(PushMessage.Progress.percent)
        let notification = PushMessage(
            message: message, title: title, subtitle: subtitle, urgency: urgency,
            sound: isSilent ? .silent : .standard, timeout: timeout, isPersistent: isPersistent,
            isSticky: isSticky, isAlertedOnce: isAlertedOnce, progress: progress,
            opens: isClickable ? "/" : nil, actions: actions, data: key)
        return notification.shown(under: tag)
    }
}

extension DesktopNotification.Button {
    fileprivate init(_ action: PushAction) {
        self.init(
            title: action.title, isDestructive: action.destructive,
            asksForText: action.text != nil, textButton: action.text?.button,
            placeholder: action.text?.placeholder)
    }
}
