internal import CGLib
internal import Glibc

/// Who is at the other end of a control connection (unix(7), SO_PEERCRED).
public struct Peer: Equatable, Sendable {
    /// The user id.
    public let user: UInt32

    public init(user: UInt32) { self.user = user }

    /// The process at the other end of a connected socket; `nil` if the system does not tell.
    ///
    /// GLib asks, because `struct ucred` is hidden from Swift; it takes a descriptor of its own.
    init?(of descriptor: Int32) {
        guard let socket = g_socket_new_from_fd(dup(descriptor), nil) else { return nil }
        defer { g_object_unref(socket) }
        guard let credentials = g_socket_get_credentials(socket, nil) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(credentials)) }
        let user = g_credentials_get_unix_user(credentials, nil)
        guard user != UInt32.max else { return nil }
        self.init(user: user)
    }

    /// Whether it may do everything: root, the daemon's own user, and the group `homing`.
    /// Everybody else may read the status without the place.
    public var isTrusted: Bool {
        user == 0 || user == getuid() || isInGroup("homing")
    }

    private func isInGroup(_ name: String) -> Bool {
        guard let entry = getgrnam(name) else { return false }
        let wanted = entry.pointee.gr_gid
        guard let account = getpwuid(user) else { return false }
        var groups = [gid_t](repeating: 0, count: 256)
        var count = Int32(groups.count)
        let known = getgrouplist(
            account.pointee.pw_name, account.pointee.pw_gid, &groups, &count)
        guard known >= 0 else { return false }
        return groups.prefix(Int(count)).contains(wanted)
    }
}
