import HomingConfiguration
import HomingSettings
import HomingTestKit
import Testing

struct ExampleTests {
    private let committed: String = {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/\(root)/agent.conf.example"
    }()

    @Test("agent.conf.example is what the table gives")
    func isCurrent() {
        let difference = Golden.difference(Configuration.table.example(), from: committed)
        #expect(
            difference == nil,
            "The table has changed: homing config example > agent.conf.example\n\(difference ?? "")"
        )
    }

    @Test("the example changes nothing, nor does it with every key switched on")
    func isDefault() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Configuration.table.example(), to: "agent.conf")
        #expect(
            try Configuration.table.load(path: path, explicit: true).get().main == Configuration())

        let lines = Configuration.table.example().split(
            separator: "\n", omittingEmptySubsequences: false)
        let isKey = { (line: Substring) in
            line.first == "#" && line.dropFirst().first?.isLetter == true
        }
        let keys = Configuration.table.sections.reduce(0) { $0 + $1.keys.count }
        #expect(lines.count(where: isKey) == keys)
        let switchedOn = lines.map { isKey($0) ? $0.dropFirst() : $0 }.joined(separator: "\n")
        try folder.write(switchedOn, to: "agent.conf")
        #expect(
            try Configuration.table.load(path: path, explicit: true).get().main == Configuration())
    }

    @Test("no line is longer than 80 columns, and every key is documented")
    func form() {
        let lines = Configuration.table.example().split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 })
        for key in Configuration.table.sections.flatMap(\.keys) {
            #expect(key.documentation.hasSuffix("."), "\(key.name)")
        }
    }
}
