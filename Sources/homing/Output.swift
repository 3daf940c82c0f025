import HomingCommandLine
import HomingControl

/// What commands have in common in what they print.
enum Output {
    static let json = OptionDefinition("json", help: "Print JSON, for programs")

    /// A result as JSON if that was asked for, else in people's words.
    static func show(
        _ value: some Encodable, _ command: ParsedCommand, text: @autoclosure () -> String
    ) {
        if command.has("json") {
            Terminal.print(json: ReportJSON.text(value))
        } else {
            Terminal.print(text())
        }
    }
}

/// Exit codes with the same meaning in several commands.
enum CommonExit {
    static let notRegistered = ExitCodeDefinition(66, help: "not registered")
    static let noDaemon = ExitCodeDefinition(69, help: "the daemon is not running")
    static let notReached = ExitCodeDefinition(
        69, help: "the daemon is not running, or Home Assistant cannot be reached: nothing was done"
    )
    static let unknown = ExitCodeDefinition(
        75, help: "sent, outcome unknown: no answer came; it is not sent again by itself")
    static let notPermitted = ExitCodeDefinition(77, help: "not permitted for this user")

    static func refused(_ help: String) -> ExitCodeDefinition { ExitCodeDefinition(76, help: help) }
}
