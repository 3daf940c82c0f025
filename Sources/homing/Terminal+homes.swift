import HomingControl
import HomingTerminal

extension Terminal {
    /// Tells why a command failed, in words that name the home.
    ///
    /// - Parameter home: the home that the error is about, where the command is about several.
    /// - Returns: the exit code.
    static func tell(_ error: ControlError, of home: String? = nil) -> ExitCode {
        var error = error
        let owner = home.map { "\($0): " } ?? ""
        error.message = owner + error.message.namingHome(home)
        error.hint = error.hint?.namingHome(home)
        return tell(error, program: "homing")
    }
}
