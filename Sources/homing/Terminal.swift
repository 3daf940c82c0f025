import Glibc
import HomingCommandLine
import HomingControl
import HomingRuntime

/// Reading from and writing to people and pipes.
enum Terminal {
    /// Text for people, cleaned of what a terminal would obey.
    static func print(_ text: String, terminator: String = "\n") {
        Console.write(text + terminator)
    }

    /// The same, for standard error.
    static func error(_ text: String, terminator: String = "\n") {
        Console.write(text + terminator, to: .error)
    }

    /// Why a command failed, and its exit code.
    ///
    /// - Parameter home: the home that the error is about, where the command is about several.
    static func tell(_ error: ControlError, of home: String? = nil) -> ExitCode {
        let owner = home.map { "\($0): " } ?? ""
        self.error("homing: \(owner)\(error.message.namingHome(home))")
        if let hint = error.hint { self.error("        \(hint.namingHome(home))") }
        return error.exitCode
    }

    /// Text for people in place of the page before.
    static func redraw(_ page: String) { Console.redraw(page) }

    /// The option with which `show` prints JSON.
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

    /// JSON for programs; a terminal is safe with it too.
    static func print(json: String) { Console.write(json: json) }

    /// The content of a file, as its format has it.
    static func printFile(_ content: String) { Console.writeFile(content) }

    /// Whether a person agrees, by `--yes` or when asked; tells those who do not that nothing was
    /// changed. Throws where nobody can be asked.
    static func agrees(
        _ command: ParsedCommand, to question: String
    ) throws(ControlError) -> Bool {
        if command.has("yes") { return true }
        guard isInputInteractive, isOutputInteractive else {
            throw ControlError(
                .usage, "nobody can answer here: \(question)", hint: "add --yes to agree")
        }
        Console.write("\(question) [y/N] ")
        if saysYes() { return true }
        Terminal.print("Nothing was changed.")
        return false
    }

    /// Whether the next line is a yes.
    static func saysYes() -> Bool { ["y", "yes"].contains(readLine()?.lowercased()) }

    /// Whether a person reads what we print.
    static var isOutputInteractive: Bool { isatty(STDOUT_FILENO) != 0 }

    static var isErrorInteractive: Bool { isatty(STDERR_FILENO) != 0 }

    static var isInputInteractive: Bool { isatty(STDIN_FILENO) != 0 }
}
