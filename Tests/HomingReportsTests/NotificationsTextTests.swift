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
        message: String = "Who is it?", shown: String = "desktop", answer: String? = nil
    ) -> NotificationsReport.Notification {
        .init(
            time: 0, home: home, sender: sender, title: title, message: message, shown: shown,
            answer: answer)
    }

    private static func text(_ report: NotificationsReport) -> String {
        report.text { _ in CalendarTime(year: 2026, month: 3, day: 9, secondOfDay: 3 * 3600 + 240) }
    }

    @Test("Each has its time, its text, its place and its answer")
    func paragraphs() {
        let report = Self.report([
            Self.notification(answer: "Open"),
            Self.notification(title: nil, message: "One\nTwo", shown: "journal"),
        ])
        #expect(
            Self.text(report) == """
                2026-03-09 03:04  Bell
                    Who is it?
                  → Shown on the desktop. Answer: Open

                2026-03-09 03:04
                    One
                    Two
                  → Written to the journal

                """)
        #expect(Self.text(Self.report([])).hasPrefix("No notification to list"))
    }

    @Test("The home is named where there are several, and who sent it where that was no home")
    func origins() {
        let one = Self.notification()
        #expect(!Self.text(Self.report([one])).contains("(home)"))
        #expect(Self.text(Self.report([one], several: true)).contains("03:04 (home)  Bell"))
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
                    shown: "\u{1B}[1m", answer: "\u{9B}2J\n2026")
            ]))
        let orders = text.unicodeScalars.filter {
            $0.properties.generalCategory == .control && $0 != "\n"
        }
        #expect(orders.isEmpty)
        #expect(text.split(separator: "\n").filter { $0.hasPrefix("  →") }.count == 1)
        #expect(text.split(separator: "\n").filter { $0.hasPrefix("2026") }.count == 1)
    }
}
