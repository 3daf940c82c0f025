/// What a push message asks for.
public enum PushContent: Equatable, Sendable {
    case notification(PushMessage)
    case command(PushCommand)

    /// Reads which of the two it is.
    public init(_ draft: PushMessage.Draft) {
        let tag = PushText.identifier(draft.tag, limit: PushMessage.tagLimit)
        let command = PushCommand(message: draft.message, tag: tag, command: draft.command)
        self = command.map { .command($0) } ?? .notification(PushMessage(draft))
    }
}
