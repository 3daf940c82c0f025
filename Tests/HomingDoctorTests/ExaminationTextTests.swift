import HomingDoctor
import HomingHealth
import Testing

struct ExaminationTextTests {
    private static func text(_ findings: [Finding]) -> String {
        ExaminationText(Examination(findings)).text
    }

    @Test("A hint for several homes stands there once for each, and its command names the home")
    func severalHomes() {
        let refused = Finding.wrong(.key, .keyRefused, "")
        let homes = ["home", "cabin"].map { refused.caused(in: $0) }
        let text = Self.text(homes + homes)
        let hints = text.split(separator: "\n").filter { $0.contains("→") }
        #expect(
            hints == [
                "  → run: homing --home home register --again. The queue is kept",
                "  → run: homing --home cabin register --again. The queue is kept",
            ])
        #expect(Self.text([refused]).contains("→ run: homing register --again."))
        let json = ExaminationText(Examination(homes)).json
        #expect(json.contains("homing --home cabin register"))
    }

    @Test("No command in a hint for a home fails because it names no home")
    func allHints() {
        for warnable in Warnable.all where warnable.subject == .home {
            let finding = Finding.wrong(.warnings, warnable, "").caused(in: "cabin")
            let words = Self.text([finding]).split { $0 == " " || $0 == "\n" }
            for (word, next) in zip(words, words.dropFirst()) where word == "homing" {
                #expect(next == "--home", "\(warnable.code)")
            }
        }
    }

    @Test("In a report for strangers a hint names the home by its stand-in")
    func redacted() {
        let finding = Finding.wrong(.key, .keyRefused, "").of("https").of(home: "cabin")
        let text = ExaminationText(Examination([finding]).redacted())
        #expect(text.text.contains("homing --home <home 1> register"))
        #expect(!text.text.contains("cabin"))
        #expect(!text.json.contains("cabin"))
    }
}
