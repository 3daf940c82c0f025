import Glibc
internal import HomingBase
import HomingControl
internal import HomingHealth
import HomingRuntime
import HomingSocket
import HomingTerminal

/// The daemons of users, beside which the system's daemon would be the same device in Home Assistant.
struct UsersDaemons {
    private static let folder = "/run/user"

    /// The user beside whose daemon a person registers.
    private var accepted: String?

    /// Refuses a registration for the system's daemon while only the daemon of a user runs. A person is asked
    /// once.
    ///
    /// - Parameter asks: whether a person answers questions.
    mutating func mustBeAbsent(asks: Bool) throws(ControlError) {
        guard (try? ControlClient()) == nil, let name = Self.present, name != accepted else {
            return
        }
        let warning = "the daemon of the user \(name) runs, and a machine has one daemon"
        let hint = Self.hint(name)
        guard asks else { throw ControlError(.usage, warning, hint: hint) }
        guard Terminal.continues(despite: warning) else {
            throw ControlError(.usage, "nothing was registered", hint: hint)
        }
        accepted = name
    }

    /// Advice beside the daemon of that user.
    static func hint(_ name: String) -> String {
        Warnable.usersDaemon.hint.replacingEach("that user", with: name)
    }

    /// The name of a user whose own program listens as the user's daemon does; `nil` for a command that cannot
    /// look, or that does not mean the system's folders. A daemon without a session's folder is not seen.
    static var present: String? {
        guard geteuid() == 0, getenv("STATE_DIRECTORY") == nil else { return nil }
        let users = ((try? Folders.names(in: folder)) ?? []).compactMap(UInt32.init)
        let user = users.sorted().first {
            $0 != 0 && UnixSocket.owner(of: "\(folder)/\($0)/homing/control.sock") == $0
        }
        return user.map { user in
            getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
        }
    }
}
