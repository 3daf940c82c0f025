import HomingNotifications
import Testing

@testable import HomeAssistantAPI

/// Categories of the older scheme, as they may come.
@Suite struct PushCategoryTests {
    private static func offer(_ id: String?, _ actions: Int) -> NotificationCategory {
        NotificationCategory(
            id: id, name: nil,
            actions: (0..<actions).map { OfferedAction(id: "A\($0)", title: "Action \($0)") })
    }

    @Test("One to four actions make a category; what is wrong with others is said by name")
    func examine() {
        let (categories, problems) = PushCategory.examine([
            Self.offer("Alarm", 4), Self.offer("empty", 0), Self.offer("many", 5),
            Self.offer("ALARM", 1), Self.offer(nil, 1), Self.offer("one", 1),
        ])
        #expect(categories.map(\.id) == ["alarm", "one"])
        #expect(categories.map(\.actions.count) == [4, 1])
        #expect(
            problems == [
                "category empty has 0 actions, not 1 to 4",
                "category many has 5 actions, not 1 to 4", "category ALARM is there twice",
                "category 5 has no usable identifier",
            ])
    }

    @Test("A notification that brings actions of its own keeps them")
    func offering() {
        let category = PushCategory.examine([Self.offer("alarm", 2)]).categories.first
        let plain = PushMessage(message: "text")
        #expect(plain.offering(category).actions.map(\.id) == ["A0", "A1"])
        #expect(plain.offering(nil).actions.isEmpty)
        let own = PushMessage(message: "text", actions: [OfferedAction(id: "OWN", title: "Own")])
        #expect(own.offering(category).actions.map(\.id) == ["OWN"])
        #expect(own.offering(category).categoryActions.isEmpty)
    }

    @Test("It remembers which of its actions are the category's, its own among them")
    func remembered() {
        let category = PushCategory.examine([Self.offer("alarm", 2)]).categories.first
        let plain = PushMessage(message: "text")
        #expect(plain.offering(category).categoryActions == ["A0", "A1"])
        let actions = ["A1", "OWN"].map { OfferedAction(id: $0, title: $0) }
        let own = PushMessage(message: "text", actions: actions)
        #expect(own.offering(category).categoryActions == ["A1"])
    }
}
