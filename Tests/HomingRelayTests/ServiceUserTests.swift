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
}
