import Glibc
import HomingControl
import HomingRuntime
import HomingSocket
import HomingTerminal

/// The daemons of users, beside which the system's daemon would be the same device in Home Assistant.
enum UsersDaemons {
    private static let folder = "/run/user"

    /// Refuses a registration for the system's daemon while only the daemon of a user runs. A person is asked.
    ///
    /// - Parameter asks: whether a person answers questions.
    static func mustBeAbsent(asks: Bool) throws(ControlError) {
        // Folders that are given are not the system's.
        guard geteuid() == 0, getenv("STATE_DIRECTORY") == nil, (try? ControlClient()) == nil,
            let name = present
        else { return }
        let warning = "the daemon of the user \(name) runs, and a machine has one daemon"
        let hint =
            "if you want this daemon, type the command as \(name), without sudo. If you want the system's "
            + "daemon, first type as \(name): \"homing unregister\" and "
            + "\"systemctl --user disable --now homing\""
        guard asks else { throw ControlError(.usage, warning, hint: hint) }
        guard Terminal.continues(despite: warning) else {
            throw ControlError(.usage, "nothing was registered", hint: hint)
        }
    }

    /// The name of a user whose own program listens as the user's daemon does.
    private static var present: String? {
        let users = ((try? Folders.names(in: folder)) ?? []).compactMap(UInt32.init)
        let user = users.sorted().first {
            $0 != 0 && UnixSocket.owner(of: "\(folder)/\($0)/homing/control.sock") == $0
        }
        return user.map { user in
            getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
        }
    }
}
