/// Request of a push message: to show a notification, or to run a command.
public enum PushContent: Equatable, Sendable {
    case notification(PushMessage)
    case command(PushCommand)
}
