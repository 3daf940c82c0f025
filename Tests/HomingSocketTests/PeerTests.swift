import Glibc
import Testing

@testable import HomingSocket

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
