import Glibc
import HomingConfiguration
import HomingRuntime
import HomingTestKit
import Testing

/// Which files are read, and what is said of those that cannot be.
struct ConfigurationFilesTests {
    @Test("a default path without a file is all defaults, but its drop-ins count")
    func missingDefault() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/agent.conf"
        #expect(try ConfigurationLoader.load(path: path, explicit: false).get() == Configuration())
        try folder.write("[log]\nlevel = debug\n", to: "agent.conf.d/10.conf")
        #expect(try ConfigurationLoader.load(path: path, explicit: false).get().log.level == .debug)
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
            guard case .failure(let errors) = ConfigurationLoader.load(path: path, explicit: true)
            else {
                Issue.record("\(path) was read")
                continue
            }
            #expect(errors.diagnostics.first?.description == "\(path): \(message)")
        }
    }

    @Test("an unreadable file or drop-in folder is an error", .enabled(if: geteuid() != 0))
    func unreadable() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("[log]\n", to: "agent.conf")
        try folder.write("", to: "agent.conf.d/10.conf")
        chmod(path, 0)
        chmod(path + ".d", 0)
        defer { chmod(path + ".d", 0o700) }
        guard case .failure(let errors) = ConfigurationLoader.load(path: path, explicit: false)
        else {
            Issue.record("it was read")
            return
        }
        #expect(
            errors.diagnostics.map(\.description) == [
                "\(path): cannot be read: Permission denied",
                "\(path).d: cannot be read: Permission denied",
            ])
    }
}
