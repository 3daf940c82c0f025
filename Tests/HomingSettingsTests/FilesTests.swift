import Glibc
import HomingSettings
import HomingTestKit
import Testing

/// Files that are read, and the problems of files that cannot be read.
struct FilesTests {
    private let table = RelayConfiguration.table

    @Test("a default path without a file is all defaults, but its drop-ins count")
    func missingDefault() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/agent.conf"
        #expect(try table.load(path: path, explicit: false).get().main == RelayConfiguration())
        try folder.write("[log]\nlevel = debug\n", to: "agent.conf.d/10.conf")
        #expect(try table.load(path: path, explicit: false).get().main.log.level == .debug)
    }

    @Test("a path that somebody named must be a file")
    func missingExplicit() throws {
        let folder = try TemporaryFolder()
        let cases = [
            (folder.path + "/no.conf", "cannot be read: No such file or directory"),
            (folder.path, "cannot be read: Is a directory"),
            (try folder.write("", to: "file") + "/agent.conf", "cannot be read: Not a directory"),
        ]
        for (path, message) in cases {
            guard case .failure(let errors) = table.load(path: path, explicit: true) else {
                Issue.record("\(path) was read")
                continue
            }
            #expect(errors.diagnostics.first?.description == "\(path): \(message)")
        }
    }

    @Test("the files that are there are named in the order in which they are read")
    func names() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/agent.conf"
        #expect(try table.files(of: path) == [])
        for name in ["b.conf", "a.conf", ".hidden.conf", "note.txt"] {
            try folder.write("", to: "agent.conf.d/\(name)")
        }
        let dropIns = ["\(path).d/a.conf", "\(path).d/b.conf"]
        #expect(try table.files(of: path) == dropIns)
        try folder.write("", to: "agent.conf")
        #expect(try table.files(of: path) == [path] + dropIns)
    }

    @Test("a file in place of the folder of drop-ins is an error")
    func noFolder() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "agent.conf.d")
        #expect(throws: (any Error).self) { try table.files(of: "\(folder.path)/agent.conf") }
    }

    @Test("an unreadable file or drop-in folder is an error", .enabled(if: geteuid() != 0))
    func unreadable() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("[log]\n", to: "agent.conf")
        try folder.write("", to: "agent.conf.d/10.conf")
        chmod(path, 0)
        chmod(path + ".d", 0)
        defer { chmod(path + ".d", 0o700) }
        guard case .failure(let errors) = table.load(path: path, explicit: false) else {
            Issue.record("it was read")
            return
        }
        #expect(
            errors.diagnostics.map(\.description) == [
                "\(path): cannot be read: Permission denied",
                "\(path).d: cannot be read: Permission denied",
            ])
    }

    @Test("a file of exactly 1 MiB is read, and line ends may be CRLF or missing")
    func large() throws {
        let end = "\r\n[log]\r\nlevel = debug"
        let text = String(repeating: "#", count: 1 << 20 - end.utf8.count) + end
        #expect(try load(text).get().log.level == .debug)
    }

    @Test("of a thousand problems a hundred are told, and the others counted")
    func bounded() throws {
        let text = "[log]\n" + String(repeating: "nonsense\n", count: 1000)
        guard case .failure(let errors) = try load(text) else {
            Issue.record("it was read")
            return
        }
        #expect(errors.diagnostics.count == 101)
        #expect(errors.diagnostics.last?.line == 102)
        #expect(errors.diagnostics.last?.message == "and 900 more problems from here on")
    }

    private func load(_ text: String) throws -> Result<RelayConfiguration, SettingsErrors> {
        let folder = try TemporaryFolder()
        let path = try folder.write(text, to: "agent.conf")
        return table.load(path: path, explicit: true).map(\.main)
    }
}
