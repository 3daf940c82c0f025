import HomingBase
import HomingCommandLine
import HomingDocuments
import HomingHealth
import HomingTestKit
import Testing

@testable import homing
@testable import homingd

/// The committed documents against the real tables.
struct CurrentDocumentsTests {
    private static let root =
        "/"
        + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    private static func documents() throws -> [Document] {
        Documents.all(
            homing: CommandTable.program, homingd: HomingDaemon.program,
            date: try Release.latest(root: root).date)
    }

    @Test("manual pages, completions and the journal's catalogue are what the tables give")
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

    @Test("every option and every command is named in its page and in each completion")
    func nothingIsMissing() throws {
        let documents = try Self.documents()
        for program in [CommandTable.program, HomingDaemon.program] {
            let commands = (program.onlyCommand.map { [$0] } ?? []) + program.commands
            let words =
                program.options.map(\.long) + commands.flatMap(\.options).map(\.long)
                + commands.flatMap { $0.name.split(separator: " ").map(String.init) }
            let own = documents.filter { document in
                let file = document.path.split(separator: "/").last ?? ""
                return file == "_\(program.name)"
                    || file.hasPrefix("\(program.name).")
                        && !file.hasSuffix("catalog")
            }
            #expect(own.count == 4)
            for document in own {
                // The pages write the hyphens of options so that they can be copied.
                let text = document.text.filter { $0 != "\\" }
                for word in words { #expect(text.contains(word), "\(word) in \(document.path)") }
            }
        }
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
