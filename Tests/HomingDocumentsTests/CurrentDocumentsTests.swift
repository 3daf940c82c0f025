import HomingBase
import HomingCommandLine
import HomingDocuments
import HomingHealth
import HomingTestKit
import Testing

@testable import homing
@testable import homing_relay
@testable import homingd

/// The committed documents against the real tables.
struct CurrentDocumentsTests {
    private static let root =
        "/"
        + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    private static func documents() throws -> [Document] {
        Documents.all(
            homing: CommandTable.program, homingd: HomingDaemon.program,
            homingRelay: RelayProgram.definition, date: try Release.latest(root: root).date)
    }

    @Test("manual pages and the journal's catalogue are what the tables give")
    func areCurrent() throws {
        for document in try Self.documents() {
            let difference = Golden.difference(document.text, from: "\(Self.root)/\(document.path)")
            #expect(
                difference == nil, "A table has changed: make documents\n\(difference ?? "")")
        }
    }

    @Test("the package has the version of the program")
    func version() throws {
        #expect(try Release.latest(root: Self.root).version == homingVersion)
    }

    @Test("every option and every command is named in its page, and offered to be completed")
    func nothingIsMissing() throws {
        let documents = try Self.documents()
        for program in [CommandTable.program, HomingDaemon.program, RelayProgram.definition] {
            let page = try #require(
                documents.first { $0.path.contains("/man/\(program.name).") })
            // The pages write the hyphens of options so that they can be copied.
            let text = page.text.filter { $0 != "\\" }
            let commands = (program.onlyCommand.map { [$0] } ?? []) + program.commands
            for command in commands {
                let words = command.name.split(separator: " ").map(String.init)
                for (place, word) in words.enumerated() {
                    #expect(text.contains(word), "\(word) in \(page.path)")
                    let offered = try Self.offered(program, behind: words.prefix(place), "")
                    #expect(offered.contains(word), "\(word) of \(command.name)")
                }
                let offered = try Self.offered(program, behind: words[...], "-")
                for option in program.options + command.options {
                    #expect(text.contains(option.long), "\(option.long) in \(page.path)")
                    #expect(
                        offered.contains("--\(option.long)"), "\(option.long) of \(command.name)")
                }
            }
        }
    }

    private static func offered(
        _ program: ProgramDefinition, behind words: ArraySlice<String>, _ word: String
    ) throws -> [String] {
        let answer = CommandLineParser(program).parse(["__complete", "--"] + words + [word])
        guard case .answer(let text) = try answer.get() else { return [] }
        return text.split(separator: "\n").map { line in String(line.prefix { $0 != "\t" }) }
    }

    @Test("every warning has its entry in the journal's catalogue")
    func everyWarning() throws {
        let catalog = try #require(
            try Self.documents().first { $0.path.hasSuffix(".catalog") })
        let identifiers = catalog.text.split(separator: "\n").filter { $0.hasPrefix("-- ") }
        #expect(identifiers.map { $0.dropFirst(3) } == Warnable.all.map { $0.messageID[...] })
        #expect(Set(identifiers).count == Warnable.all.count)
    }
}
