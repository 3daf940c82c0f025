import Glibc
import HomingTestKit
import Testing

@testable import HomingRelay

/// Files that the service can read, by the rights of files.
@Suite("The service's user")
struct ServiceUserTests {
    private let folder: TemporaryFolder
    /// User without an account on this machine.
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
        func closed() throws -> [ClosedFile] {
            try user.closedFiles(settings, at: main, keys: KeyFile(path: keys))
        }
        let files = try closed()
        try #require(files.map(\.path) == [main, dropIn, keys, key])
        #expect(files[0].remedies == ["chmod 644 \(main)"])
        #expect(files[1].remedies == ["chmod 644 \(dropIn)"])
        #expect(files[2].remedies == ["chown --reference=\(state) \(keys)"])
        #expect(files[3].remedies.first?.contains("the page relay in /usr/share/doc") == true)
        for path in [main, dropIn, keys, key] { chmod(path, 0o644) }
        #expect(try closed() == [])
        chmod(dropIns, 0o700)
        let folders = ["chmod 755 \(dropIns)"]
        #expect(
            try closed() == [
                ClosedFile(path: dropIn, remedies: folders),
                ClosedFile(path: dropIns, remedies: folders),
            ])
    }

    @Test("hands over each closed folder of the state on the way to a file, and the file")
    func wayToKey() throws {
        let state = folder.file("state")
        #expect(mkdir(state, 0o700) == 0 && chmod(state, 0o755) == 0)
        let key = try file("state/tls/privkey.pem", 0o600)
        let tls = "\(state)/tls"
        chmod(tls, 0o700)
        var settings = RelayConfiguration()
        settings.listen.tlsKey = key
        let main = try file("relay.conf", 0o644)
        func remedies(_ user: UInt32) throws -> [[String]] {
            try ServiceUser(user: user, state: state)
                .closedFiles(settings, at: main, keys: KeyFile(path: "\(state)/relay.keys"))
                .map(\.remedies)
        }
        let give = "chown --reference=\(state)"
        #expect(try remedies(54_321) == [["\(give) \(tls)", "\(give) \(key)"]])
        chmod(key, 0)
        #expect(try remedies(geteuid()) == [["chmod u+rX \(key)"]])
        chmod(key, 0o600)
    }

    @Test("has a configuration moved whose folder lies in a closed folder, and a link replaced")
    func elsewhere() throws {
        let main = try file("home/homing/relay.conf", 0o644)
        chmod(folder.file("home/homing"), 0o755)
        chmod(folder.file("home"), 0o700)
        let keys = KeyFile(path: "/nowhere/relay.keys")
        let closed = try user.closedFiles(RelayConfiguration(), at: main, keys: keys)
        let remedy = closed.first?.remedies.first
        #expect(closed.first?.remedies.count == 1 && remedy?.hasPrefix("move \(main) ") == true)
        #expect(remedy?.contains("/etc/homing") == true && remedy?.contains("chmod") == false)
        let other = try TemporaryFolder()
        let link = other.file("relay.conf")
        #expect(symlink(main, link) == 0)
        let linked = try user.closedFiles(RelayConfiguration(), at: link, keys: keys)
        #expect(
            linked == [
                ClosedFile(
                    path: link,
                    remedies: ["replace the link \(link) by a copy of \(main)"])
            ])
    }
}
