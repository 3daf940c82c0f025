import Glibc
import HomingTestKit
import Testing

@testable import HomingRelay

/// What the service can read, by the rights of files.
@Suite("The service's user")
struct ServiceUserTests {
    private let folder: TemporaryFolder
    /// Nobody's number here.
    private let user = ServiceUser(user: 54_321, state: "/nowhere")

    init() throws {
        folder = try TemporaryFolder()
        chmod(folder.path, 0o755)
    }

    private func file(_ name: String, _ mode: mode_t) throws -> String {
        let path = try folder.write("content", to: name)
        chmod(path, mode)
        return path
    }

    @Test("cannot read a file that only another may read, and reads what everybody may")
    func files() throws {
        let (open, closed) = (try file("open", 0o644), try file("closed", 0o600))
        let missing = folder.file("missing")
        #expect(user.unreadable([open, closed, missing]) == [closed])
        let owner = ServiceUser(user: geteuid(), state: "/nowhere")
        #expect(owner.unreadable([open, closed]) == [])
        chmod(closed, 0o004)
        #expect(user.unreadable([closed]) == [])
        #expect(owner.unreadable([closed]) == [closed], "the owner has the owner's rights alone")
    }

    @Test("cannot read a file in a closed folder, also by a link from an open folder")
    func folders() throws {
        let closed = folder.file("keys")
        #expect(mkdir(closed, 0o700) == 0)
        let path = try file("keys/privkey.pem", 0o644)
        let link = folder.file("privkey.pem")
        #expect(symlink(path, link) == 0)
        #expect(user.unreadable([path, link]) == [path, link])
        // systemd lets the service into its own folder, which lies in one that is root's.
        let own = ServiceUser(user: geteuid(), state: closed)
        #expect(own.unreadable([path]) == [])
        #expect(
            ServiceUser(user: 54_321, state: closed).unreadable([path]) == [path])
    }

    @Test("opens each file that it cannot read by another remedy")
    func remedies() throws {
        let state = folder.file("state")
        #expect(mkdir(state, 0o700) == 0 && chmod(state, 0o755) == 0)
        let (keys, main) = (try file("state/relay.keys", 0o600), try file("relay.conf", 0o600))
        let (dropIn, key) = (try file("relay.conf.d/a.conf", 0o600), try file("key.pem", 0o600))
        let dropIns = folder.file("relay.conf.d")
        #expect(chmod(dropIns, 0o755) == 0)
        var settings = RelayConfiguration()
        settings.listen.tlsKey = key
        let user = ServiceUser(user: 54_321, state: state)
        func closed() -> [ClosedFile] {
            user.closedFiles(settings, at: main, keys: KeyFile(path: keys))
        }
        try #require(closed().map(\.path) == [main, dropIn, keys, key])
        #expect(closed()[0].remedies == ["chmod 644 \(main)"])
        #expect(closed()[1].remedies == ["chmod 644 \(dropIn)"])
        #expect(closed()[2].remedies == ["chown --reference=\(state) \(keys)"])
        #expect(closed()[3].remedies.first?.contains("docs/relay.md") == true)
        for path in [main, dropIn, keys, key] { chmod(path, 0o644) }
        #expect(closed() == [])
        chmod(dropIns, 0o700)
        let folders = ["chmod 755 \(dropIns)"]
        #expect(
            closed() == [
                ClosedFile(path: dropIn, remedies: folders),
                ClosedFile(path: dropIns, remedies: folders),
            ])
    }
}
