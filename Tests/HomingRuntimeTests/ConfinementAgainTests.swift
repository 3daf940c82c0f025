import Glibc
import HomingTestKit
import Testing

@testable import HomingRuntime

/// A second run of a program, after the first run has renamed or linked the secret.
@Suite(.enabled(if: Confinement.isAvailable, "this kernel has no Landlock"))
struct ConfinementAgainTests {
    private let folder: TemporaryFolder

    init() throws {
        LoopThread.start()
        folder = try TemporaryFolder()
        try folder.write("secret", to: "home/state/registration.json")
        try folder.write("book", to: "home/state/track")
        try folder.write("own", to: "home/state/own/file")
        try folder.write("own", to: "home/decoy/file")
        try folder.write("key 1", to: "certificates/archive/key1.pem")
        try folder.write("key 2", to: "certificates/archive/key2.pem")
    }

    private var confinement: Confinement {
        Confinement(hiding: ["\(folder.path)/home/state/registration.json"])
    }

    @LoopActor private func run(
        _ command: String, _ confinement: Confinement
    ) async throws -> ConfinedShell.Said {
        try await ConfinedShell.run(command, in: folder.path, confinement)
    }

    /// Swaps two names in one step.
    private static func swap(_ first: String, _ second: String) -> String {
        """
        python3 -c 'import ctypes; \
        ctypes.CDLL(None).renameat2(-100, b"\(first)", -100, b"\(second)", 2)'
        """
    }

    @Test(
        "What one program makes of a hidden file's name, the next one cannot read",
        arguments: [
            ("ln home/state/registration.json home/state/x", "home/state/x"),
            ("mv home/state/registration.json home/state/x", "home/state/x"),
            ("mv -f home/state/registration.json home/state/track", "home/state/track"),
            (
                "mv home/state/registration.json home/state/x; chmod 666 home/state/x",
                "home/state/x"
            ),
            ("mv home/state/registration.json home/state/own/x", "home/state/own/x"),
            (swap("home/state/registration.json", "home/state/track"), "home/state/track"),
            ("mv home/state home/moved", "home/moved/registration.json"),
            ("mv home moved", "moved/state/registration.json"),
            (swap("home/state", "home/decoy"), "home/decoy/registration.json"),
            ("mkdir -p a/b; mv home/state a/b", "a/b/state/registration.json"),
        ])
    @LoopActor func renamed(first: String, path: String) async throws {
        _ = try await run(first, confinement)
        let next = try await run("cat \(path)", confinement)
        #expect(!next.output.contains("secret"), "\(next)")
        // The daemon is not confined: it may replace the file between two runs.
        try folder.write("newer secret", to: "home/state/registration.json")
        let last = try await run("cat \(path) home/state/registration.json", confinement)
        #expect(!last.output.contains("secret"), "\(last)")
    }

    @Test(
        "What lies in other folders can be renamed and removed, and be read",
        arguments: [
            "mkdir home/decoy/a && mv home/decoy/a home/decoy/b && rmdir home/decoy/b",
            "mkdir home/state/own/a && rmdir home/state/own/a",
            "echo x >home/new && ln home/new home/link && mv home/new home/other && rm home/other",
            "mkdir home/fresh && echo x >home/fresh/file && rm home/fresh/file",
            "cat home/state/own/file", "d=$(mktemp -d -p home/decoy) && rmdir $d",
        ])
    @LoopActor func open(command: String) async throws {
        let confined = try await run(command, confinement)
        #expect(confined.ending == .exited(0), "\(confined)")
    }

    @Test("A key behind a link stays hidden when the link leads to another")
    @LoopActor func renewed() async throws {
        let certificates = "\(folder.path)/certificates"
        #expect(mkdir("\(certificates)/live", 0o700) == 0)
        #expect(symlink("../archive/key1.pem", "\(certificates)/live/key.pem") == 0)
        let confinement = Confinement(hiding: ["\(certificates)/live/key.pem"])
        #expect(unlink("\(certificates)/live/key.pem") == 0)
        #expect(symlink("../archive/key2.pem", "\(certificates)/live/key.pem") == 0)
        for path in ["live/key.pem", "archive/key1.pem", "archive/key2.pem"] {
            let said = try await run("cat certificates/\(path)", confinement)
            #expect(said.ending != .exited(0) && said.output.isEmpty, "\(path): \(said)")
        }
    }

    @Test("A key behind links of files and folders is hidden where they led and where they lead")
    @LoopActor func chain() async throws {
        try folder.write("key 1", to: "v1/key.pem")
        try folder.write("key 2", to: "v2/key.pem")
        #expect(symlink("v1", "\(folder.path)/now") == 0)
        #expect(symlink("now/key.pem", "\(folder.path)/key.pem") == 0)
        try folder.write("", to: "etc/file")
        #expect(symlink("../key.pem", "\(folder.path)/etc/key.pem") == 0)
        let confinement = Confinement(hiding: ["\(folder.path)/etc/key.pem"])
        #expect(unlink("\(folder.path)/now") == 0)
        #expect(symlink("v2", "\(folder.path)/now") == 0)
        for path in ["etc/key.pem", "key.pem", "now/key.pem", "v1/key.pem", "v2/key.pem"] {
            let said = try await run("cat \(path)", confinement)
            #expect(said.ending != .exited(0) && said.output.isEmpty, "\(path): \(said)")
        }
    }

    @Test("A file that is not there at first is hidden where it is put later")
    @LoopActor func later() async throws {
        let confinement = Confinement(hiding: ["\(folder.path)/later/folder/key.pem"])
        try folder.write("key", to: "later/folder/key.pem")
        let said = try await run("cat later/folder/key.pem", confinement)
        #expect(said.ending != .exited(0) && said.output.isEmpty, "\(said)")
    }

    @Test("Links that lead in a circle hide nothing, and harm nothing")
    @LoopActor func circle() async throws {
        #expect(symlink("b", "\(folder.path)/a") == 0)
        #expect(symlink("a", "\(folder.path)/b") == 0)
        let said = try await run(
            "cat home/decoy/file", Confinement(hiding: ["\(folder.path)/a", "/", "relative"]))
        #expect(said.output == "own", "\(said)")
    }

    @Test(
        "Files beside a hidden one that everybody may read, and only root may change, stay open",
        .enabled(if: geteuid() != 0, "all files are root's"))
    @LoopActor func others() async throws {
        let said = try await run("cat /etc/passwd", Confinement(hiding: ["/etc/homing-key.pem"]))
        #expect(said.ending == .exited(0) && !said.output.isEmpty, "\(said)")
    }
}
