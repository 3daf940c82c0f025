import HomeAssistantAPI

@testable import HomingNotifications

/// Texts as large as somebody outside can make them, each another one: equal ones share their storage.
enum LargeTexts {
    /// More than any bound of a text.
    static func text(_ number: Int, _ part: String, bytes: Int = 4500) -> String {
        "\(part) \(number) " + String(repeating: "x", count: bytes)
    }

    /// A notification with every field at its bound.
    static func notification(_ number: Int, tag: String? = nil) -> PushMessage {
        let longTag = "tag \(number) " + String(repeating: "t", count: 200)
        var links: [String: String] = [:]
        for link in 0..<8 {
            links[text(link, "link", bytes: 200)] = address(number, "link\(link)")
        }
        // A key of another kind: an id that is longer than any.
        for link in 0..<4 {
            links[text(link, "a\(number)", bytes: 20_000)] = address(number, "a\(link)")
        }
        let category = "category \(number) " + String(repeating: "c", count: 200)
        let data = String(repeating: "d", count: 16_000)
        return PushMessage(
            message: text(number, "message"), title: text(number, "title"),
            subtitle: text(number, "subtitle"), tag: tag ?? longTag, group: text(number, "group"),
            channel: text(number, "channel"), urgency: .critical,
            image: address(number, "image"), icon: address(number, "icon"),
            opens: address(number, "opens"), links: links, actions: actions(number),
            category: category, data: "{\"a\":\"\(data)\(number)\"}")
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
