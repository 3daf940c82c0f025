import Glibc
import HomingCommandLine
internal import HomingConfiguration
import HomingControl
import HomingRuntime
internal import HomingSettings

/// The daemon's process: arguments, configuration, signals, the loop.
@main enum HomingDaemon {
    static let program = ProgramDefinition(
        "homingd", version: homingVersion,
        command: CommandDefinition(
            "homingd", summary: "Home Assistant companion for Linux",
            discussion: """
                Sends this machine's location to Home Assistant, whatever lies between. Usually run by \
                systemd; "homing" sets it up and asks it.
                """,
            options: [
                OptionDefinition(
                    "config", value: "FILE", help: "Read this file instead of agent.conf"),
                OptionDefinition(
                    "log-level", value: "LEVEL", allowed: LogLevel.allCases.map(\.name),
                    help: "How much to log, whatever the configuration says"),
            ],
            exitCodes: [
                0: "ended by a signal, as it should",
                1: "cannot start now, and may later: another daemon, or a failing disk",
                64: "wrong use of the command line",
                78: "the configuration, or what is stored, must be mended first",
            ]))

    static func main() {
        signal(SIGPIPE, SIG_IGN)
        Heap.hide()
        Heap.returnLargeBlocks()
        let command = parse(Array(CommandLine.arguments.dropFirst()))
        let level = command.value("log-level").flatMap { LogLevel(name: $0) }
        let source = ConfigurationSource(path: command.value("config"))
        switch source.load() {
        case .failure(let errors): end(.configuration, "\(errors)")
        case .success(let configuration):
            Log.start(level: level ?? configuration.main.log.level)
            spawn { DaemonLife.begin(source, configuration, level: level) }
            EventLoop.main.run()
            exit(DaemonLife.exitCode.rawValue)
        }
    }

    private static func parse(_ arguments: [String]) -> ParsedCommand {
        switch CommandLineParser(program).parse(arguments) {
        case .failure(let error): end(.usage, "\(error)")
        case .success(.answer(let text)):
            Console.write(text)
            exit(ExitCode.done.rawValue)
        case .success(.run(let command)): return command
        }
    }

    private static func end(_ code: ExitCode, _ message: String) -> Never {
        Console.write("\(message)\n", to: .error)
        exit(code.rawValue)
    }
}
