public import HomingRuntime

/// Shows notifications to whoever is there.
@LoopActor public protocol Notifier: AnyObject {
    /// Shows it, in place of an earlier one with the same tag.
    ///
    /// - Parameter image: the path of a file with its picture, if it has been fetched.
    func show(_ message: PushMessage, image: String?)
    /// Takes away the notification with this tag, if it is still shown.
    func clear(tag: String)
}

/// Outcome for a notification that was shown.
public enum NotifierEvent: Equatable, Sendable {
    /// The notification server has it.
    case shown(PushMessage)
    /// A button was pressed. With a text if one was entered; an action that asks for one may come
    /// without, where the server cannot ask. `ActionPolicy.judge` decides what follows. That ends the
    /// notification, unless it is sticky: then `gone` or `dismissed` does.
    case chosen(button: Int, reply: String?, PushMessage)
    /// The notification itself was clicked, which ends it too.
    case clicked(PushMessage)
    /// Notification that a person put away without an answer.
    case dismissed(PushMessage)
    /// Notification that went by itself, or because the notification was replaced or cleared.
    case gone(PushMessage)
    /// Notification that could not be shown: no notification server, or a server that refuses.
    /// The reason is for the journal.
    case failed(PushMessage, String)
}
