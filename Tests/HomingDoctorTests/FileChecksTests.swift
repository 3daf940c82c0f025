import Glibc
import HomingConfiguration
import HomingHealth
import HomingTestKit
import Testing

@testable import HomingDoctor

struct FileChecksTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func findings(
        folder path: String? = nil, maxSize: Int = 1, running: Bool = false
    ) -> [Finding] {
        var configuration = Configuration()
        configuration.outbox.maxSize = maxSize
        return FileChecks(
            folder: path ?? folder.path, homes: [(path ?? folder.path, configuration)],
            queueSize: configuration.outbox.maxSize, isDaemonRunning: running
        ).run()
    }

    @Test("a folder with closed files and room is well")
    func well() throws {
        _ = try folder.write([], to: "registration.json")
        chmod("\(folder.path)/registration.json", 0o600)
        #expect(findings().map(\.outcome) == [.well, .well, .well])
    }

    @Test("an open file, a folder that is none and a full disk are found")
    func faults() throws {
        _ = try folder.write([], to: "outbox.db")
        chmod("\(folder.path)/outbox.db", 0o640)
        #expect(findings().compactMap(\.problem) == [.filesExposed])
        let file = "\(folder.path)/outbox.db"
        #expect(findings(folder: file).first?.problem == .stateUnusable)
        #expect(
            findings(folder: "\(folder.path)/none", running: true).first?.problem == .stateUnusable)
        #expect(findings(folder: "\(folder.path)/none").first?.outcome == .skipped)
        #expect(findings(maxSize: Int.max).last?.problem == .diskFull)
    }

    @Test(
        "every file with a secret or a place must be closed to others",
        arguments: ["registration.json", "outbox.db", "outbox-log", "relay.json"])
    func openFiles(name: String) throws {
        _ = try folder.write([], to: name)
        chmod("\(folder.path)/\(name)", 0o644)
        #expect(findings().compactMap(\.problem) == [.filesExposed])
    }

    @Test("the name of a user in a path is private")
    func users() {
        #expect(FileChecks.home(in: "/home/ada/.config").map(\.text) == ["ada"])
        #expect(FileChecks.home(in: "/etc/homing/agent.conf").isEmpty)
    }
}
