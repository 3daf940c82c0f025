public import HomeAssistantAPI

/// Rules for the actions that a notification may offer, and for the answers that may be acted upon.
///
/// A notification comes from the network, and an answer from whatever program shows notifications:
/// neither is believed further than this.
public enum ActionPolicy {
    /// The most buttons; Android shows three, iOS ten.
    static let actionLimit = 8
    /// Bytes of an id. Home Assistant has no limit; the longest in use have some 40.
    static let idLimit = 255
    static let titleLimit = 128
    /// Bytes of a reply.
    static let replyLimit = 4096
    /// The id whose only effect is to open `uri`.
    static let opensOnly = "URI"

    /// Splits what was offered into what may be shown and, in words, what is wrong with the rest.
    public static func examine(
        _ offered: [OfferedAction]
    ) -> (actions: [PushAction], problems: [String]) {
        var actions: [PushAction] = []
        var problems: [String] = []
        for (index, action) in offered.prefix(64).enumerated() {
            if actions.count == actionLimit {
                problems.append("more than \(actionLimit) actions: the rest is left out")
                break
            }
            let name = "action \(index + 1)"
            guard let id = PushText.identifier(action.id, limit: idLimit) else {
                problems.append("\(name) has no usable id")
                continue
            }
            if id != opensOnly, actions.contains(where: { $0.id == id }) {
                problems.append("\(name) repeats an id")
                continue
            }
            let link = action.uri.flatMap { Link($0) }
            if link == nil, action.uri != nil {
                // An app of a phone's, perhaps: the automation that waits for the button is told.
                problems.append("\(name) leads to what is neither a web page nor Home Assistant's")
            }
            if id == opensOnly, link == nil {
                if action.uri == nil { problems.append("\(name) opens nothing") }
                continue
            }
            actions.append(permitted(action, id, link))
        }
        return (actions, problems)
    }

    private static func permitted(
        _ action: OfferedAction, _ id: String, _ link: Link?
    ) -> PushAction {
        let title = PushText.clean(action.title ?? "", limit: titleLimit)
        let entry = PushAction.TextEntry(
            button: action.textButton.map { PushText.clean($0, limit: titleLimit) },
            placeholder: action.textPlaceholder.map { PushText.clean($0, limit: titleLimit) })
        return PushAction(
            id: id, title: title.isEmpty ? PushText.clean(id, limit: titleLimit) : title,
            opens: link ?? (action.opensHomeAssistant ? .homeAssistant(path: "/") : nil),
            fires: id != opensOnly, text: action.asksForText ? entry : nil,
            authenticationRequired: action.authenticationRequired, destructive: action.destructive)
    }

    /// Consequence of an answer.
    public enum Verdict: Equatable, Sendable {
        /// Do it: tell Home Assistant if `action.fires`, open `action.opens`.
        case perform(PushAction, reply: String?)
        /// Ask again when the session is unlocked.
        case hold(PushAction, reply: String?)
        /// Refusal: nothing is done. The reason is for the journal.
        case refuse(String)
    }

    /// Judges a choice made on a notification.
    ///
    /// - Parameters:
    ///   - button: its place among the message's actions: ids may stand twice (`URI`).
    ///   - reply: the text that was entered, if any.
    ///   - isLocked: whether the session in which it was chosen is locked.
    public static func judge(
        _ button: Int, reply: String? = nil, on message: PushMessage, isLocked: Bool
    ) -> Verdict {
        guard message.actions.indices.contains(button) else {
            return .refuse("the notification does not have this action")
        }
        let action = message.actions[button]
        if action.text == nil, reply != nil { return .refuse("the action does not take a text") }
        let text = reply.map(Self.reply)
        return action.authenticationRequired && isLocked
            ? .hold(action, reply: text) : .perform(action, reply: text)
    }

    /// A text that a person entered, bounded and cleaned.
    public static func reply(_ text: String) -> String {
        PushText.clean(text, limit: replyLimit, .paragraphs)
    }
}
