public import HomingRuntime

/// Origin of an answer to a notification.
public struct AnswerPlace: Equatable, Sendable {
    /// User who owns the desktop; `nil` for the desktop of this process.
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
    /// Returns the origin of an answer to this message.
    func place(of message: PushMessage) -> AnswerPlace
    /// Asks for a text, as a button of the message wants it.
    func promptForReply(
        _ question: String, button: String?, about message: PushMessage,
        completion: @escaping @LoopActor (ReplyPrompt.Outcome) -> Void)
    /// Opens what a click on the message leads to.
    ///
    /// - Parameter failed: gets the reason if nothing can be opened.
    func open(
        _ address: String, from message: PushMessage,
        failed: @escaping @LoopActor (String) -> Void)
}
