import Glibc
import HomingCommandLine
import HomingControl
import HomingRuntime
import HomingSettings
import HomingTerminal

/// The command line: parses, runs the one command, ends with its exit code.
@main enum HomingCommand {
    static func main() {
        StandardFiles.openClosed()
        // It may be given a token.
        Heap.hide()
        signal(SIGPIPE, SIG_IGN)
        let program = CommandTable.program
        Console.end(run(program.command()).rawValue, program: program.name)
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
            return Terminal.reportControlError(error)
        }
    }
}
