import HomingBase
import HomingReports
import Testing

@testable import HomingControl

/// The newest notifications as people read them.
@Suite struct NotificationsTextTests {
    private static func report(
        _ notifications: [NotificationsReport.Notification], several: Bool = false
    ) -> NotificationsReport {
        NotificationsReport(notifications, isOfSeveralHomes: several)
    }

    private static func notification(
        home: String? = "home", sender: String = "home_assistant", title: String? = "Bell",
        message: String = "Who is it?", shown: String = "desktop",
        buttons: [String]? = nil, answer: String? = nil
    ) -> NotificationsReport.Notification {
        .init(
            time: 0, home: home, sender: sender, title: title, message: message, shown: shown,
            buttons: buttons, answer: answer)
    }

    private static func text(_ report: NotificationsReport) -> String {
        report.text { _ in CalendarTime(year: 2026, month: 3, day: 9, secondOfDay: 3 * 3600 + 240) }
    }

    @Test("Each has its time, its text, its place and its answer")
    func paragraphs() {
        let report = Self.report([
            Self.notification(buttons: ["Open", "Shut"], answer: "Open"),
            Self.notification(
                title: nil, message: "One\nTwo", shown: "journal", buttons: ["Open"]),
        ])
        #expect(
            Self.text(report) == """
                2026-03-09 03:04 (from Home Assistant)  Bell
                    Who is it?
                  → Shown on the desktop. Answer: Open. Buttons: "Open", "Shut"

                2026-03-09 03:04 (from Home Assistant)
                    One
                    Two
                  → Written to the journal. Buttons, on a desktop alone: "Open"

                """)
        #expect(Self.text(Self.report([])).hasPrefix("No notification to list"))
    }

    @Test("The home is named where there are several, and who sent it where that was no home")
    func origins() {
        let one = Self.notification(home: "cabin")
        #expect(Self.text(Self.report([one])).contains("03:04 (from Home Assistant)  Bell"))
        #expect(
            Self.text(Self.report([one], several: true)).contains(
                "03:04 (from the home cabin)  Bell"))
        let person = Self.notification(home: nil, sender: "person")
        #expect(Self.text(Self.report([person])).contains("(from somebody at this machine)"))
        #expect(
            Self.text(Self.report([Self.notification(sender: "homing")])).contains("(from Homing)"))
    }

    @Test("A text gives no orders to the terminal and looks like no line of the list")
    func hostile() {
        let text = Self.text(
            Self.report([
                Self.notification(
                    title: "a\u{1B}[2J\nb", message: "\u{1B}]0;x\u{7}\n  → Shown on the desktop",
                    shown: "\u{1B}[1m", buttons: ["\u{1B}c", "\n  → b\n2026", "A. Answer: A"],
                    answer: "\u{9B}2J\n2026")
            ]))
        let orders = text.unicodeScalars.filter {
            $0.properties.generalCategory == .control && $0 != "\n"
        }
        #expect(orders.isEmpty)
        let endings = text.split(separator: "\n").filter { $0.hasPrefix("  →") }
        #expect(endings.count == 1 && endings[0].hasSuffix(", \"A. Answer: A\""))
        #expect(endings[0].split(separator: "Answer:").count == 3, "the true answer comes first")
        #expect(text.split(separator: "\n").filter { $0.hasPrefix("2026") }.count == 1)
    }
}
