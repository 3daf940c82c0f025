import HomingCommandLine
import HomingControl

/// What commands have in common in what they print.
enum Output {
    static let json = OptionDefinition("json", help: "Print JSON, for programs")

    /// A result as JSON if that was asked for, else in people's words.
    static func show(
        _ value: some Encodable, _ command: ParsedCommand, text: @autoclosure () -> String,
        terminator: String = "\n"
    ) {
        if command.has("json") {
            Terminal.print(json: ReportJSON.text(value))
        } else {
            Terminal.print(text(), terminator: terminator)
        }
    }
}

/// Exit codes with the same meaning in several commands.
extension ExitCodes {
    /// Codes of what the daemon does by itself.
    static let ofDaemon: ExitCodes = [
        69: "the daemon is not running", 77: "not permitted for this user",
    ]
    /// Codes of what the daemon does for a home.
    static let ofQueue: ExitCodes = .ofDaemon + [66: "not registered"]
    /// Codes of what Home Assistant is asked now.
    static let ofHomeAssistant: ExitCodes = [
        66: "not registered",
        69: "the daemon is not running, or Home Assistant cannot be reached: nothing was done",
        77: "not permitted for this user",
    ]
    /// The code of what must not be done twice.
    static let unknown: ExitCodes = [
        75: "sent, outcome unknown: no answer came; it is not sent again by itself"
    ]
}
