internal import Glibc
internal import HomingRuntime

/// The user as whom the service runs. What root can read, this user may not.
public struct ServiceUser: Equatable, Sendable {
    /// A user who owns no file. Stands for the service's user before systemd has made that user.
    private static let stranger: UInt32 = 65_534
    /// Where the service may be installed.
    private static let units = ["/etc", "/usr/local/lib", "/usr/lib", "/lib"].map {
        "\($0)/systemd/system/homing-relay.service"
    }

    private let user: UInt32
    /// The folder of the service's state, which systemd gives to the user.
    private let state: String

    init(user: UInt32, state: String) {
        self.user = user
        self.state = Self.resolved(state) ?? state
    }

    /// The owner of the service's folder. Before its first start, a user who owns nothing. `nil` where this
    /// process is not root's, or no service is known.
    ///
    /// - Parameter state: the folder of the service's state.
    public init?(state: String) {
        guard geteuid() == 0 else { return nil }
        if let owner = Folders.owner(of: state), owner.user != 0 {
            self.init(user: owner.user, state: state)
        } else if Self.units.contains(where: { access($0, F_OK) == 0 }) {
            self.init(user: Self.stranger, state: state)
        } else {
            return nil
        }
    }

    /// The files among these that are there, and that the user cannot read. A file with a list of rights of
    /// its own (acl(5)), or for a group that the service may have been given, counts as readable.
    public func unreadable(_ paths: [String]) -> [String] {
        paths.filter { path in Self.resolved(path).map { !reads($0) } ?? false }
    }

    private func reads(_ path: String) -> Bool {
        let isOwn = path.hasPrefix("\(state)/")
        // Before the first start its folder is root's, and systemd hands over all of it.
        if isOwn, user == Self.stranger { return true }
        var folder = isOwn ? state : ""
        guard !isOwn || may(mode_t(S_IXUSR), folder) else { return false }
        for name in path.dropFirst(folder.utf8.count).split(separator: "/").dropLast() {
            folder += "/\(name)"
            guard may(mode_t(S_IXUSR), folder) else { return false }
        }
        return may(mode_t(S_IRUSR), path)
    }

    /// - Parameter right: the owner's bit of it.
    private func may(_ right: mode_t, _ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return true }
        if FileWriters.haveList(of: path) { return true }
        let mode = status.st_mode
        if status.st_uid == user { return mode & right != 0 }
        let isForGroup = mode & (right >> 3) != 0 && status.st_gid != 0
        return mode & (right >> 6) != 0 || isForGroup
    }

    private static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
