import Glibc
import HomingControl
internal import HomingHealth
import HomingRegistration
import HomingRuntime
import HomingSocket

/// The look at the daemons of this machine. A daemon without a session's folder is not seen.
extension MachineDaemons {
    private static let sessions = "/run/user"
    private static let socketOfSystem = "/run/homing/control.sock"

    /// The daemons as this user may see them; `nil` if STATE_DIRECTORY names the folder of a daemon that is
    /// neither the system's nor a user's.
    static var present: MachineDaemons? {
        if let given = getenv("STATE_DIRECTORY"), given.pointee != 0 { return nil }
        let isRegistered = OfflineState.asOwner { isRegistration(in: Folders.state()) }
        let user = geteuid()
        if user == 0 {
            let system = Daemon(
                isRunning: UnixSocket.owner(of: Folders.socket()) != nil,
                isRegistered: isRegistered)
            return MachineDaemons(
                own: system, others: users.map { daemon(of: $0) },
                isSystemsEnabled: ServiceControl.isSystemsEnabled)
        }
        let own = Daemon(
            of: name(of: user),
            isRunning: UnixSocket.owner(of: "\(Folders.runtime())/control.sock") == user,
            isRegistered: isRegistered)
        let ownerOfSystem = UnixSocket.owner(of: socketOfSystem)
        return MachineDaemons(
            own: own, others: [Daemon(isRunning: ownerOfSystem != nil && ownerOfSystem != user)],
            isSystemsEnabled: ServiceControl.isSystemsEnabled,
            reachesSystem: Folders.socket() == socketOfSystem)
    }

    /// Advice how to reach a daemon, where no daemon answers this user.
    static var presentStartHint: String { present?.startHint ?? Warnable.daemonNotRunning.hint }

    /// The users who are logged in, and the user who became root by sudo.
    private static var users: [UInt32] {
        let loggedIn = ((try? Folders.names(in: sessions)) ?? []).compactMap(UInt32.init)
        let caller = getenv("SUDO_UID").flatMap { UInt32(String(cString: $0)) }
        return Set(loggedIn + [caller].compactMap(\.self)).subtracting([0]).sorted()
    }

    private static func daemon(of user: UInt32) -> Daemon {
        let home = getpwuid(user).map { String(cString: $0.pointee.pw_dir) }
        let folder = "\(sessions)/\(user)/homing"
        return Daemon(
            of: name(of: user),
            // A program of another user than the folder's is not the daemon of that user.
            isRunning: isUnlinked(folder) && isUnlinked("\(folder)/control.sock")
                && UnixSocket.owner(of: "\(folder)/control.sock") == user,
            isRegistered: home.map { isUsualRegistration(in: "\($0)/.local/state/homing") } ?? false
        )
    }

    private static func name(of user: UInt32) -> String {
        getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
    }

    /// Whether this user's state folder has a registration, also of an earlier version.
    private static func isRegistration(in state: String) -> Bool {
        let homes = ((try? Folders.namesIfAny(in: "\(state)/homes")) ?? [])
        return isUsualRegistration(in: state)
            || homes.contains { isFile(RegistrationStore.path(in: "\(state)/homes/\($0)")) }
    }

    /// Whether another user's state folder has a registration under the usual names. The folder is neither
    /// listed nor opened: that user decides how large the folder is.
    private static func isUsualRegistration(in state: String) -> Bool {
        isFile(RegistrationStore.path(in: state))
            || isFile(RegistrationStore.path(in: "\(state)/homes/\(HomeFolders.unnamed)"))
    }

    private static func isFile(_ path: String) -> Bool { OwnerRights.sees(path) }

    /// Whether the path is there, and no link: root looks at the sockets of the user's own folder. A link that
    /// comes a moment later leads to a program of another user, or of this user.
    private static func isUnlinked(_ path: String) -> Bool {
        var entry = stat()
        return lstat(path, &entry) == 0 && entry.st_mode & S_IFMT != S_IFLNK
    }
}
