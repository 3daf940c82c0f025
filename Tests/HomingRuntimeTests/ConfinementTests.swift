import Glibc
import HomingTestKit
import Testing

@testable import HomingRuntime

/// Files that a program that we start may read.
@Suite(.enabled(if: Confinement.isAvailable, "this kernel has no Landlock"))
struct ConfinementTests {
    private let folder: TemporaryFolder

    init() throws {
        LoopThread.start()
        folder = try TemporaryFolder()
        try folder.write("secret", to: "state/registration.json")
        try folder.write("secret", to: "state/registration.json.new")
        try folder.write("key", to: "credentials/secret")
        try folder.write("book", to: "state/track")
        try folder.write("plain", to: "other/file")
    }

    private var confinement: Confinement {
        Confinement(hiding: [
            "\(folder.path)/state/registration.json", "\(folder.path)/credentials",
        ])
    }

    @LoopActor private func run(
        _ command: String, _ confinement: Confinement
    ) async throws -> ConfinedShell.Said {
        try await ConfinedShell.run(command, in: folder.path, confinement)
    }

    @Test(
        "Hidden files cannot be read",
        arguments: [
            "cat state/registration.json", "cat credentials/secret",
            "cat state/registration.json.new", "cat state/track",
            "cat /proc/self/root$PWD/state/registration.json",
            "ln state/registration.json other/link; cat other/link",
            "mv state/registration.json other/moved; cat other/moved",
            "cp state/registration.json other/copy",
            "ln -s ../state/registration.json other/link; cat other/link",
            "cat /proc/$PPID/root$PWD/state/registration.json",
            "readlink /proc/$PPID/exe", "cat /proc/$PPID/mem",
            "dd if=state/registration.json", "sh -c 'cat state/registration.json'",
        ])
    @LoopActor func hidden(command: String) async throws {
        let confined = try await run(command, confinement)
        #expect(confined.ending != .exited(0) && confined.output.isEmpty, "\(confined)")
    }

    @Test("A file that is written anew stays hidden")
    @LoopActor func replaced() async throws {
        let path = "\(folder.path)/state/registration.json"
        async let confined = run("sleep 0.5; cat state/registration.json", confinement)
        try AtomicFile.write(Array("new".utf8), to: path)
        let result = try await confined
        #expect(result.ending != .exited(0) && result.output.isEmpty)
    }

    @Test(
        "Everything else is as it was",
        arguments: [
            "cat other/file", "cat /proc/cpuinfo /etc/passwd",
            "echo x >other/new && cat other/new",
            "echo x >other/m && mkdir -p other/deep && mv other/m other/deep",
            "echo x >state/own", "t=$(mktemp -p other) && echo x >$t && cat $t",
            "ls state credentials",
            "test -e state/registration.json", "head -c 1 /dev/zero", "cat /proc/self/status",
            "python3 -c 'import socket; socket.socket(socket.AF_UNIX)'",
        ])
    @LoopActor func open(command: String) async throws {
        let before = try await run(command, .none)
        let confined = try await run(command, confinement)
        #expect(before.ending == .exited(0) && confined.ending == before.ending, "\(confined)")
    }

    @Test("This process is not confined by what it starts")
    @LoopActor func ourselves() async throws {
        _ = try await run("true", confinement)
        #expect(
            try AtomicFile.read("\(folder.path)/state/registration.json") == Array("secret".utf8))
    }

    @Test("Without anything to hide, a program reads what its user may")
    @LoopActor func none() async throws {
        #expect(try await run("cat state/registration.json", .none).output == "secret")
    }
}
