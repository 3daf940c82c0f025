import Glibc
import HomingControl
internal import HomingHealth
import HomingRegistration
import HomingRuntime

/// The daemon of this user's own, for hints beside the system's daemon.
enum OwnDaemon {
    /// Whether the user's own daemon is registered, and its service does not start beside the system's
    /// service. Folders that are given are not the user's.
    static var isKeptFromStarting: Bool { isRegistered && ServiceControl.isSystemsEnabled }

    private static var isRegistered: Bool {
        geteuid() != 0 && getenv("STATE_DIRECTORY") == nil
            && OfflineState.names.contains {
                access(RegistrationStore.path(in: OfflineState.folders.state(of: $0)), F_OK) == 0
            }
    }

    /// Advice for a user whose own daemon does not start.
    static let hintOfKeptDaemon =
        "Your own daemon is registered, and does not start while the system's service is enabled. "
        + "If you want your own daemon: sudo systemctl disable --now homing. "
        + "Then: systemctl --user start homing"

    /// Advice how to reach a daemon, where no daemon answers.
    static var startHint: String {
        if let user = UsersDaemons.present {
            return "the daemon of the user \(user) runs: \(UsersDaemons.hint(user))"
        }
        if isKeptFromStarting {
            return "start the system's daemon: sudo systemctl start homing. \(hintOfKeptDaemon)"
        }
        return isRegistered
            ? "start your own daemon: systemctl --user start homing"
            : Warnable.daemonNotRunning.hint
    }
}
