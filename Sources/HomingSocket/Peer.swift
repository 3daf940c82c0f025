internal import Glibc

/// Process at the other end of a connection: the user and the groups that the process had when it
/// connected. The kernel tells them (socket(7), SO_PEERCRED and SO_PEERGROUPS).
///
/// The user database is not asked: it may be a server on the network, and to wait for it would stop
/// the loop.
struct Peer: Equatable, Sendable {
    /// The user id.
    let user: uid_t
    /// The ids of its group and of its supplementary groups.
    let groups: Set<gid_t>
}

extension Peer {
    /// The process at the other end of a connected Unix socket; `nil` if the system does not tell.
    init?(of descriptor: Int32) {
        var credentials = Credentials()
        var length = socklen_t(MemoryLayout<Credentials>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0,
            credentials.user != uid_t.max
        else { return nil }
        self.init(
            user: credentials.user,
            groups: Set(Self.supplementaryGroups(of: descriptor) + [credentials.group]))
    }

    /// The C library's `struct ucred`, which it shows to C alone.
    private struct Credentials {
        var process: pid_t = 0
        var user = uid_t.max
        var group = gid_t.max
    }

    private static func supplementaryGroups(of descriptor: Int32) -> [gid_t] {
        let size = MemoryLayout<gid_t>.size
        var groups = [gid_t](repeating: 0, count: 32)
        while true {
            let room = groups.count * size
            var length = socklen_t(room)
            if getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, &groups, &length) == 0 {
                return Array(groups.prefix(Int(length) / size))
            }
            // Where they do not fit, the kernel says how much room they want.
            guard errno == ERANGE, Int(length) > room else { return [] }
            groups = [gid_t](repeating: 0, count: Int(length) / size)
        }
    }
}

/// Users who may do everything over a program's socket; anybody else may ask what everybody may.
struct Trust: Sendable {
    let users: Set<uid_t>
    let group: gid_t?

    /// Root, the user this process runs as, and the group of that name, if there is one. The group
    /// is looked up here, once: see `Peer`.
    static func ofThisProcess(group: String) -> Trust {
        Trust(users: [0, geteuid()], group: getgrnam(group)?.pointee.gr_gid)
    }

    func includes(_ peer: Peer) -> Bool {
        users.contains(peer.user) || group.map(peer.groups.contains) == true
    }
}
