import HomingHealth
import Testing

struct ExaminationTests {
    @Test("what another finding explains is no cause")
    func causes() {
        let examination = Examination([
            .wrong(.fix, .noFix, ""), .wrong(.gpsd, .gpsdUnreachable, "refused"),
            .well(.disk, "1 MiB free"),
        ])
        #expect(examination.causes.map(\.check) == [.gpsd] && !examination.isWell)
        #expect(examination.findings.map(\.check) == [.disk, .gpsd, .fix])
        #expect(Examination([.well(.disk, ""), .skipped(.fix, "")]).isWell)
    }

    @Test("a report for strangers has a stand-in for each private word, the same throughout")
    func redaction() {
        let host = Finding.Privacy(.host, "ha.example")
        let longer = Finding.Privacy(.host, "my.ha.example")
        let redacted = Examination([
            .well(.name, "ha.example has an address", [host]).of("instance"),
            .wrong(.route, .noRoute, "my.ha.example:8123, not ha.example", [longer, host]),
            .well(.network, "Wi-Fi Home", [.init(.network, "Home"), .init(.user, "")]),
        ]).redacted()
        #expect(
            redacted.findings.map(\.detail) == [
                "Wi-Fi <network 1>", "<host 1> has an address", "<host 2>:8123, not <host 1>",
            ])
        #expect(redacted.findings.flatMap(\.privacies).isEmpty)
    }

    @Test("a report for strangers has the advice that names nobody")
    func redactedHint() {
        let daemons = MachineDaemons(others: [.init(of: "skipper", isRunning: true)])
        let found = Examination(daemons.findingsWithoutAnswer)
        #expect(found.findings[0].hint?.contains("skipper") == true)
        let finding = found.redacted().findings[0]
        #expect(finding.detail == "the daemon of the user <user 1> runs" && finding.hint == nil)
    }
}
