internal import Glibc
public import HomingCommandLine
internal import HomingRuntime
public import HomingSocket

/// Reading from and writing to people and pipes.
public enum Terminal {
    /// Text for people, cleaned of what a terminal would obey.
    public static func print(_ text: String, terminator: String = "\n") {
        Console.write(text + terminator)
    }

    /// The same, for standard error.
    public static func error(_ text: String, terminator: String = "\n") {
        Console.write(text + terminator, to: .error)
    }

    /// Tells why a command failed.
    ///
    /// - Parameter program: the program's name, which the line begins with.
    /// - Returns: the exit code.
    public static func reportFailure(_ error: LineError, program: String) -> ExitCode {
        self.error("\(program): \(error.message)")
        if let hint = error.hint {
            let indent = String(repeating: " ", count: program.count + 2)
            self.error("\(indent)\(hint)")
        }
        return error.exitCode
    }

    /// Text for people in place of the page before.
    public static func redraw(_ page: String) { Console.redraw(page) }

    /// The option with which `show` prints JSON.
    public static let json = OptionDefinition("json", help: "Print JSON, for programs")

    /// A result as JSON if that was asked for, else in people's words.
    public static func show(
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
    public static func print(json: String) { Console.write(json: json) }

    /// The content of a file, as its format has it.
    public static func printFile(_ content: String) { Console.writeFile(content) }

    /// Whether a person agrees, by `--yes` or when asked; tells those who do not that nothing was
    /// changed. Throws where nobody can be asked.
    public static func agrees(
        _ command: ParsedCommand, to question: String
    ) throws(LineError) -> Bool {
        if command.has("yes") { return true }
        guard isInputInteractive, isOutputInteractive else {
            throw LineError(
                .usage, "this is not a terminal, so nobody can answer: \(question)",
                hint: "add --yes to agree")
        }
        let farewell = "Nothing was changed."
        let answer = LinePrompt.readAnswer(
            "\(question) [y/N] ", isResult: true, farewell: farewell)
        if isYes(answer) { return true }
        Terminal.print(farewell)
        return false
    }

    /// Returns if a person continues despite a warning. Throws the outcome otherwise.
    ///
    /// - Parameters:
    ///   - warning: a sentence without its full stop.
    ///   - choice: sentences about what each answer leads to.
    ///   - outcome: what follows from a no, as "nothing was changed".
    public static func mustContinue(
        despite warning: String, choice: String? = nil, orElse outcome: String
    ) throws(LineError) {
        Terminal.error("Careful: \(warning).")
        if let choice { Terminal.error(choice) }
        let farewell = "\(outcome.prefix(1).uppercased())\(outcome.dropFirst())."
        let answer = LinePrompt.readAnswer(
            "Continue anyway? [y/N] ", isResult: false, farewell: farewell)
        guard isYes(answer) else { throw LineError(.usage, outcome) }
    }

    private static func isYes(_ line: String?) -> Bool {
        ["y", "yes"].contains(line?.lowercased())
    }

    /// Whether nobody gets what we print any more.
    public static var isOutputLost: Bool { Console.loss != nil }

    /// Whether a person reads what we print.
    public static var isOutputInteractive: Bool { isatty(STDOUT_FILENO) != 0 }

    public static var isErrorInteractive: Bool { isatty(STDERR_FILENO) != 0 }

    public static var isInputInteractive: Bool { isatty(STDIN_FILENO) != 0 }
}
