import Glibc
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingControl

@Suite struct PeerTests {
    @Test("The kernel tells who is at the other end: its user and all its groups")
    func credentials() throws {
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { ends.forEach { _ = close($0) } }
        var groups = [gid_t](repeating: 0, count: 1024)
        let count = getgroups(Int32(groups.count), &groups)
        let peer = try #require(Peer(of: ends[0]))
        #expect(peer.user == geteuid())
        #expect(peer.groups == Set(groups.prefix(Int(count)) + [getegid()]))
    }

    @Test("What is no Unix socket has nobody at its other end")
    func noPeer() {
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(Peer(of: descriptor) == nil)
    }

    @Test("Root, the owner and the group's members are trusted, whichever of their groups it is")
    func trust() {
        let trust = Trust(users: [0, 990], group: 991)
        #expect(trust.includes(Peer(user: 0, groups: [0])))
        #expect(trust.includes(Peer(user: 990, groups: [990])))
        #expect(trust.includes(Peer(user: 1000, groups: [1000, 27, 991])))
        #expect(!trust.includes(Peer(user: 1000, groups: [1000, 27])))
        #expect(!trust.includes(Peer(user: 991, groups: [1000])))
    }

    @Test("Where there is no group homing, nobody is in it")
    func noGroup() {
        let trust = Trust(users: [0], group: nil)
        #expect(!trust.includes(Peer(user: 1000, groups: [0, 1000])))
    }
}

@Suite struct UnixSocketTests {
    @Test("A path too long for a socket is refused with the path named, and nothing left open")
    func longPath() async throws {
        let path = "/tmp/" + String(repeating: "x", count: 200)
        let before = Self.openDescriptors
        for _ in 0..<200 {
            let failure = try thrown(SystemError.self) {
                _ = try UnixSocket.connect(to: path)
            }
            #expect(failure?.number == ENAMETOOLONG && failure?.action.contains(path) == true)
            #expect(throws: SystemError.self) { _ = try UnixSocket.listen(on: path) }
        }
        // Other tests of this process open many at the same time, and close theirs again.
        let deadline = ContinuousClock.now + .seconds(20)
        while Self.openDescriptors - before >= 100, .now < deadline {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(Self.openDescriptors - before < 100)
    }

    @Test("A daemon too busy to take a connection is a living one")
    func busyDaemon() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/control.sock"
        let listener = try UnixSocket.listen(on: path)
        #expect(Glibc.listen(listener, 0) == 0)
        var clients: [Int32] = []
        defer { (clients + [listener]).forEach { _ = close($0) } }
        let full = try thrown(SystemError.self) {
            while clients.count < 100 {
                clients.append(
                    try UnixSocket.connect(to: path, flags: Int32(SOCK_NONBLOCK.rawValue)))
            }
        }
        #expect(full?.number == EAGAIN)
        let failure = try thrown(SystemError.self) { _ = try UnixSocket.listen(on: path) }
        #expect(failure?.number == EADDRINUSE)
    }

    private static var openDescriptors: Int {
        ((try? Folders.names(in: "/proc/self/fd")) ?? []).count
    }
}
