import Glibc
import HomingCommandLine
import HomingControl
import HomingRuntime
import HomingSettings

/// The command line: parses, runs the one command, ends with its exit code.
@main enum HomingCommand {
    static func main() {
        // It may be given a token.
        Heap.hide()
        signal(SIGPIPE, SIG_IGN)
        switch CommandLineParser(CommandTable.program).parse(
            Array(CommandLine.arguments.dropFirst()))
        {
        case .failure(let error):
            Terminal.error("\(error)")
            exit(ExitCode.usage.rawValue)
        case .success(.answer(let text)):
            Terminal.print(text, terminator: "")
            exit(ExitCode.done.rawValue)
        case .success(.run(let command)):
            exit(run(command).rawValue)
        }
    }

    private static func run(_ command: ParsedCommand) -> ExitCode {
        guard let run = CommandTable.commands.first(where: { $0.definition.name == command.name })
        else { return .failure }
        let named = command.value("home")
        if let named { setenv(ControlClient.homeVariable, named, 1) }
        do throws(ControlError) {
            if let home = named ?? ControlClient.namedHome, !Parts.isName(home) {
                throw .noHomeName(home)
            }
            return try run.run(command)
        } catch {
            Terminal.error("homing: \(error.message)")
            if let hint = error.hint { Terminal.error("        \(hint)") }
            return error.exitCode
        }
    }
}
