import HomingCommandLine
import Testing

@testable import HomingDocuments

/// Texts that tables may hold and formats take for something else.
struct RenderingTests {
    private static let awkward = ProgramDefinition(
        "pigeon", summary: "carries 100% of 'it'", version: "1.2.3", options: [],
        groups: [
            (
                "Fly",
                [
                    CommandDefinition(
                        "log", summary: "Write [a: b] it's \\n",
                        discussion: ".first word a dot. 'Second' a quote.\n\nA – dash.",
                        options: [
                            OptionDefinition(
                                "level", short: "l", value: "LEVEL", allowed: ["low", "high"],
                                help: "How [much]: it's")
                        ], arguments: [ArgumentDefinition("FILE", .any, help: "What to read")]),
                    CommandDefinition("route show", summary: "Show the route"),
                    CommandDefinition("route draw", summary: "Draw the route"),
                ]
            )
        ])

    @Test("no line of a page begins with what roff takes for a request")
    func requests() {
        let page = Roff.text(Pages.homing(Self.awkward), date: "2026-01-02", version: "1.2.3")
        let macros: Set = [".TH", ".SH", ".SS", ".PP", ".TP", ".IP", ".EX", ".EE", #".\""#]
        for line in page.split(separator: "\n") where line.hasPrefix(".") {
            #expect(macros.contains(String(line.prefix { $0 != " " })), "\(line)")
        }
        #expect(!page.split(separator: "\n").contains { $0.hasPrefix("'") })
        #expect(page.contains("\n\\&.first word a dot.\n\\(aqSecond\\(aq a quote.\n.PP\n"))
        #expect(page.contains("A \\[u2013] dash."))
        #expect(page.contains("it\\(aqs \\en"))
    }

    @Test("an option has hyphens that can be copied, a word one that may break")
    func hyphens() {
        #expect(Roff.prose("well-known --no-home") == "well-known \\-\\-no\\-home")
        #expect(Roff.prose("\"homing register --again\".").hasSuffix("\\-\\-again\\(dq."))
        #expect(Roff.prose("/etc/systemd-x") == "/etc/systemd-x")
    }

    @Test("each sentence has a line of its own")
    func sentences() {
        #expect(
            Roff.sentences("One. Two (2.5 m). \"Three.\" And")
                == ["One.", "Two (2.5 m).", "\"Three.\"", "And"])
    }
}
