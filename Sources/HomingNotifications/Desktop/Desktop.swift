public import HomingRuntime

/// Where an answer to a notification is given.
public struct AnswerPlace: Equatable, Sendable {
    /// Whose desktop it is; `nil` for this process's own.
    public var user: UInt32?
    /// The helper's key of the notification, by which it may be asked for a text.
    public var key: String?

    public init(user: UInt32? = nil, key: String? = nil) {
        self.user = user
        self.key = key
    }
}

/// A person's desktop: where notifications are shown, texts asked for and pages opened.
@LoopActor public protocol Desktop: Notifier {
    /// Where an answer to this message is given.
    func place(of message: PushMessage) -> AnswerPlace
    /// Asks for a text, as a button of the message wants it.
    func ask(
        _ question: String, button: String?, about message: PushMessage,
        completion: @escaping @LoopActor (ReplyPrompt.Outcome) -> Void)
    /// Opens what a click on the message leads to.
    ///
    /// - Parameter failed: gets the reason if nothing can be opened.
    func open(
        _ address: String, from message: PushMessage,
        failed: @escaping @LoopActor (String) -> Void)
}

/// The desktop on this process's own session bus.
@LoopActor public final class LocalDesktop: Desktop {
    private let prompt = ReplyPrompt()
    private let opener: LinkOpener
    private let notifier: DesktopNotifier

    /// - Parameters:
    ///   - runner: starts programs.
    ///   - deliver: gets what becomes of notifications.
    public init(
        runner: CommandRunner, clock: any Clockwork = SystemClock(),
        deliver: @escaping @LoopActor (NotifierEvent) -> Void
    ) {
        opener = LinkOpener(runner: runner)
        notifier = DesktopNotifier(clock: clock, deliver: deliver)
    }

    public func place(of message: PushMessage) -> AnswerPlace { AnswerPlace() }

    /// Whether there may be one: a service of the system has none.
    public var isExpected: Bool { notifier.isExpected }

    public func show(_ message: PushMessage, image: String?) {
        notifier.show(message, image: image)
    }

    /// Shows it in place of what an earlier process showed, if that is on the screen still.
    ///
    /// - Parameter handle: what `handle(of:)` gave that process.
    public func show(_ message: PushMessage, image: String?, replacing handle: String?) {
        notifier.show(message, image: image, replacing: handle)
    }

    /// A word by which a later process can take it over.
    public func handle(of message: PushMessage) -> String? { notifier.handle(of: message) }

    public func clear(tag: String) { notifier.clear(tag: tag) }

    /// Takes away what is shown of these.
    public func close(where condition: @escaping (PushMessage) -> Bool) {
        notifier.close(where: condition)
    }

    public func ask(
        _ question: String, button: String?, about message: PushMessage,
        completion: @escaping @LoopActor (ReplyPrompt.Outcome) -> Void
    ) { prompt.ask(question, button: button, completion: completion) }

    public func open(
        _ address: String, from message: PushMessage,
        failed: @escaping @LoopActor (String) -> Void
    ) { opener.open(address, failed: failed) }

    /// Lets go of all; what is shown stays.
    public func shutdown() {
        prompt.shutdown()
        notifier.shutdown()
    }
}
