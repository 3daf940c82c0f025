import Testing

@testable import HomingAgent
@testable import HomingNotifications

/// Summary that is shown in place of notifications that were too many.
@Suite struct FoldedSummaryTests {
    @Test(
        "It says how many there are, and of one in the singular",
        arguments: [(1, "1 more notification"), (2, "2 more notifications")])
    func title(count: Int, title: String) {
        let summary = ShowRate.Summary(count: count, lines: ["Door: open"], isCritical: false)
        #expect(PushMessage.summary(summary, "").title == title)
        #expect(PushMessage.summary(summary, "").message == "Door: open")
    }
}
