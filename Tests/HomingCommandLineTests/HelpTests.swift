import HomingCommandLine
import HomingTestKit
import Testing

/// Tests of the help. They run one after the other, since several would write one golden file.
@Suite(.serialized) struct HelpTests {
    static let cases = [
        ("program", ["--help"]), ("program", ["-h"]), ("program", ["--help", "--nope"]),
        ("program", ["help"]), ("first", []), ("family", ["help", "config"]),
        ("status", ["help", "status"]),
        ("config_check", ["help", "config", "check"]), ("family", ["config", "--help"]),
        ("family", ["--help", "config"]),
        ("config_check", ["config", "check", "-h"]), ("status", ["status", "--help"]),
        ("status", ["--help", "status"]), ("status", ["status", "--nope", "--help", "surplus"]),
        ("status", ["status", "-jh"]), ("register", ["register", "-h"]), ("log", ["log", "-h"]),
        ("send_location", ["send-location", "--help"]),
    ]

    private func answer(_ words: [String], of program: ProgramDefinition) throws -> String {
        guard case .answer(let text) = try CommandLineParser(program).parse(words).get() else {
            Issue.record("\(words) is no question")
            return ""
        }
        return text
    }

    private func compare(_ text: String, with name: String) {
        let difference = Golden.difference(text, from: "\(Golden.folder())/\(name).txt")
        #expect(difference == nil, "\(difference ?? "")")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
        #expect(!text.contains(" \n"))
    }

    @Test("help is what it was, and fits in 80 columns", arguments: cases.indices)
    func help(_ index: Int) throws {
        let (name, words) = Self.cases[index]
        compare(try answer(words, of: sample), with: name)
    }

    @Test("a program without commands has its options in its help")
    func onlyCommand() throws {
        compare(try answer(["--help"], of: daemon), with: "daemon")
    }

    @Test(
        "the version is one line",
        arguments: [["--version"], ["status", "--version"], ["-c", "x", "--version"]])
    func version(_ words: [String]) throws {
        #expect(try answer(words, of: sample) == "homing 1.2.3\n")
    }
}
