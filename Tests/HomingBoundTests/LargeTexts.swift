@testable import HomingNotifications

/// Texts as large as somebody outside can make them, each another one: equal ones share their storage.
enum LargeTexts {
    /// More than any bound of a text.
    static func text(_ number: Int, _ part: String, bytes: Int = 4500) -> String {
        "\(part) \(number) " + String(repeating: "x", count: bytes)
    }

    /// A notification with every field at its bound.
    static func notification(_ number: Int, tag: String? = nil) -> PushMessage {
        var draft = PushMessage.Draft()
        draft.message = text(number, "message")
        draft.title = text(number, "title")
        draft.subtitle = text(number, "subtitle")
        draft.group = text(number, "group")
        draft.channel = text(number, "channel")
        draft.tag = tag ?? "tag \(number) " + String(repeating: "t", count: 200)
        draft.category = "category \(number) " + String(repeating: "c", count: 200)
        draft.urgency = .critical
        draft.image = address(number, "image")
        draft.icon = address(number, "icon")
        draft.opens = address(number, "opens")
        for link in 0..<8 {
            draft.links[text(link, "link", bytes: 200)] = address(number, "link\(link)")
        }
        // A key of another kind: an id that is longer than any.
        for link in 0..<4 {
            draft.links[text(link, "a\(number)", bytes: 20_000)] = address(number, "a\(link)")
        }
        draft.actions = actions(number)
        draft.data = "{\"a\":\"" + String(repeating: "d", count: 16_000) + "\(number)\"}"
        return PushMessage(draft)
    }

    static func actions(_ number: Int) -> [OfferedAction] {
        (0..<10).map { action in
            OfferedAction(
                id: "\(number) \(action) " + String(repeating: "i", count: 240),
                title: text(number, "action"), uri: address(number, "action\(action)"),
                asksForText: true, textButton: text(number, "button"),
                textPlaceholder: text(number, "placeholder"))
        }
    }

    private static func address(_ number: Int, _ part: String) -> String {
        "/\(part)/\(number)/" + String(repeating: "p", count: 2000)
    }
}
