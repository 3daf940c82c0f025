import Glibc
import HomingControl
import HomingHealth
import HomingTerminal

extension Terminal {
    /// The hints in a text, as this user has to type them: with sudo for the system's daemon, unless root
    /// itself types.
    static func typed(_ text: String) -> String {
        let needsSudo =
            geteuid() == 0
            ? getenv("SUDO_USER") != nil : (try? ControlClient.ifRunning())?.isAnotherUsers == true
        return needsSudo ? text.withSudo : text
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
