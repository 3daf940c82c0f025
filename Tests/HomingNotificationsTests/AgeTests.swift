import HomeAssistantAPI
import HomingBase
import HomingPush
import Testing

@testable import HomingNotifications

/// Delay of a notification, as people read it.
@Suite struct AgeTests {
    private func heading(_ age: Seconds?, title: String? = "Door", home: Bool = false) -> String? {
        PushMessage(message: "m", title: title).from(home: "cabin", id: "1", isOneOfSeveral: home)
            .aged(age).heading
    }

    @Test("An age of five minutes or more stands behind the title, in one unit, rounded down")
    func reported() {
        #expect(heading(nil) == "Door")
        #expect(heading(299) == "Door")
        #expect(heading(300) == "Door (5 min ago)")
        #expect(heading(3599) == "Door (59 min ago)")
        #expect(heading(3 * 3600 + 1800) == "Door (3 h ago)")
        #expect(heading(3 * 86_400) == "Door (3 d ago)")
    }

    @Test("Without a title the age is the title, and the home stands before it")
    func withoutTitle() {
        #expect(heading(7200, title: nil) == "2 h ago")
        #expect(heading(7200, title: nil, home: true) == "cabin (2 h ago)")
        #expect(heading(7200, home: true) == "cabin: Door (2 h ago)")
        #expect(heading(0, title: nil) == nil)
    }

    @Test(
        "The journal, terminals and the desktop say it; what goes back to Home Assistant has the title alone"
    )
    func everywhere() {
        let message = PushMessage(message: "m", title: "Door").aged(7200)
        #expect(JournalNotifier.line(message) == "notification: Door (2 h ago): m")
        #expect(JournalNotifier.fields(message).contains { $0 == ("NOTIFICATION_AGE", "7200") })
        #expect(TerminalNotifier.text(message) == "Door (2 h ago)\nm\n")
        #expect(message.title == "Door")
        let content = PushContent(NotificationPayload(message: "m"), from: .relay(age: 7200))
        guard case .notification(let shown) = content else {
            Issue.record("\(content)")
            return
        }
        #expect(shown.age == 7200)
    }
}
