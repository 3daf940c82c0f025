import HomingDoctor
import HomingHealth
import Testing

struct ExaminationTextTests {
    private static func text(_ findings: [Finding]) -> String {
        Examination(findings).text()
    }

    /// The commands that hints for a home name.
    private static let commands: Set = [
        "setup", "register", "registration encrypt", "registration keep", "status", "send-location",
        "relay join", "relay leave", "network home",
    ]

    @Test("The details of a report begin in one column, whatever the longest title is")
    func columns() {
        let names = ["instance URL", "a home with a long name", "x"]
        let findings = names.map { Finding.well(.homeAssistant, "detail").of(home: $0) }
        let lines = Self.text(findings).split(separator: "\n").filter { $0.contains("detail") }
        #expect(lines.count == names.count)
        let columns = lines.map { $0.count - "detail".count }
        #expect(Set(columns).count == 1, "\(lines)")
    }

    @Test("A hint for several homes stands there once for each, and its command names the home")
    func severalHomes() {
        let refused = Finding.wrong(.key, .keyRefused, "")
        let homes = ["home", "cabin"].map { refused.caused(in: $0) }
        let text = Self.text(homes + homes)
        let hints = text.split(separator: "\n").filter { $0.contains("→") }
        #expect(
            hints == [
                "  → run: homing register --home home --again. The queue is kept",
                "  → run: homing register --home cabin --again. The queue is kept",
            ])
        #expect(Self.text([refused]).contains("→ run: homing register --again."))
        let json = Examination(homes).json
        #expect(json.contains("homing register --home cabin"))
    }

    @Test("No command in a hint for a home fails because it names no home")
    func allHints() {
        var found: Set<String> = []
        for warnable in Warnable.all where warnable.subject == .home {
            let finding = Finding.wrong(.warnings, warnable, "").caused(in: "cabin")
            let words = Self.text([finding]).split { $0 == " " || $0 == "\n" }
            for (index, word) in words.enumerated() where word == "homing" {
                let command = words[(index + 1)...].prefix { $0 != "--home" }
                #expect(Self.commands.contains(command.joined(separator: " ")), "\(warnable.code)")
                let name = words[min(command.endIndex + 1, words.endIndex - 1)]
                #expect(name.prefix { $0 != "." && $0 != "," } == "cabin", "\(warnable.code)")
                found.insert(command.joined(separator: " "))
            }
        }
        #expect(found == Self.commands)
    }

    @Test("In a report for strangers a hint names the home by its stand-in")
    func redacted() {
        let finding = Finding.wrong(.key, .keyRefused, "").of("https").of(home: "cabin")
        let examination = Examination([finding]).redacted()
        #expect(examination.text().contains("homing register --home <home 1>"))
        #expect(!examination.text().contains("cabin"))
        #expect(!examination.json.contains("cabin"))
    }
}
