import HomingCommandLine
import HomingRelay
import HomingRuntime
import HomingSocket
import HomingTerminal

extension Command {
    /// `homing-relay serve`: run the relay.
    static let serve = CommandDefinition(
        "serve", summary: "Run the relay, until SIGTERM; usually systemd does it",
        options: [
            OptionDefinition(
                "log-level", value: "LEVEL", allowed: LogLevel.allCases.map(\.name),
                help: "How much to log, whatever the configuration says")
        ],
        exitCodes: [
            0: "ended by a signal, as it should",
            1: "the start failed, for a reason that may pass: an address in use, a failing disk",
            78: "the configuration, the keys or the store is wrong: correct it first",
        ]
    ).runs { (command: ParsedCommand) throws(LineError) -> ExitCode in
        let settings = try command.settings()
        let level = command.value("log-level").flatMap { LogLevel(name: $0) }
        Log.start(level: level ?? settings.log.level)
        spawn { await RelayLife.begin(settings) }
        EventLoop.main.run()
        return RelayLife.exitCode
    }
}
