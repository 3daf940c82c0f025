import Glibc
import HomingControl
import HomingHealth
import HomingTerminal

extension Terminal {
    /// The hints in a text, as this user has to type them: with sudo for the system's daemon, unless root
    /// itself types; with --user for the user's own. Without a daemon the text stays.
    static func typed(_ text: String) -> String {
        if geteuid() == 0 { return getenv("SUDO_USER") == nil ? text : text.withSudo }
        guard let daemon = try? ControlClient.ifRunning() else { return text }
        return daemon.isAnotherUsers ? text.withSudo : text.withUser
    }

    /// Tells why a command failed, in words that name the home.
    ///
    /// - Parameter home: the home that the error is about, where the command is about several.
    /// - Returns: the exit code.
    static func reportControlError(_ error: ControlError, of home: String? = nil) -> ExitCode {
        var error = error
        let owner = home.map { "\($0): " } ?? ""
        error.message = owner + error.message.namingHome(home)
        error.hint = error.hint.map { typed($0.namingHome(home)) }
        return reportFailure(error, program: "homing")
    }
}
