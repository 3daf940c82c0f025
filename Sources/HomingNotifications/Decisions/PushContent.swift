/// What a push message asks for.
public enum PushContent: Equatable, Sendable {
    case notification(PushMessage)
    case command(PushCommand)
}
