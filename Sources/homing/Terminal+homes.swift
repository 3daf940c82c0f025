import Glibc
internal import HomingBase
import HomingControl
internal import HomingHealth
import HomingRuntime
internal import HomingSocket
import HomingTerminal

extension Terminal {
    /// Returns a text whose hints fit this user and the daemon. Without a daemon, and without the system's
    /// service, the text stays.
    static func typed(_ text: String) -> String { owner?.typed(text) ?? text }

    /// Owner of the daemon that this user's commands reach or would reach; `nil` where no daemon runs, starts
    /// with the machine, or is registered. For a person who became root by sudo, any daemon is the system's.
    private static var owner: DaemonOwner? {
        if geteuid() == 0 { return getenv("SUDO_USER") == nil ? .root : .system }
        guard let owner = UnixSocket.owner(of: Folders.socket()) else {
            if ServiceControl.isSystemsEnabled { return .system }
            return MachineDaemons.present?.own.isRegistered == true ? .user : nil
        }
        return owner == geteuid() ? DaemonOwner(runningAs: owner) : .system
    }

    /// Tells why a command failed, in words that name the home.
    ///
    /// - Parameter home: the home that the error is about, where the command is about several.
    /// - Returns: the exit code.
    static func reportControlError(_ error: ControlError, of home: String? = nil) -> ExitCode {
        var error = error
        let owner = home.map { "\($0): " } ?? ""
        error.message = owner + error.message.namingHome(home)
        // Which daemon is meant depends on the user.
        if error.isAbsence { error.hint = MachineDaemons.presentStartHint }
        error.hint = error.hint.map { typed($0.namingHome(home)) }
        return reportFailure(error, program: "homing")
    }
}
