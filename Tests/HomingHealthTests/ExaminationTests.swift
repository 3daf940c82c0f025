import HomingHealth
import Testing

struct ExaminationTests {
    @Test("no warnable depends on itself, directly or through others")
    func noCircle() {
        for warnable in Warnable.allCases {
            var seen: Set<Warnable> = []
            var rest = warnable.dependsOn
            while let next = rest.popLast() {
                #expect(next != warnable)
                if seen.insert(next).inserted { rest += next.dependsOn }
            }
        }
    }

    @Test("every warnable has text, hint and an id of its own")
    func declarations() {
        for warnable in Warnable.allCases {
            #expect(!warnable.text.isEmpty && !warnable.text.hasSuffix("."))
            #expect(!warnable.hint.isEmpty && !warnable.hint.hasSuffix("."))
            #expect(warnable.messageID.count == 32)
        }
        #expect(Set(Warnable.allCases.map(\.messageID)).count == Warnable.allCases.count)
    }

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
}
