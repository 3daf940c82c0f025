import HomingCommandLine
import HomingControl
import HomingCore

/// A subcommand: its declaration, and what it does.
struct Command: Sendable {
    let definition: CommandDefinition
    /// Runs it; throws what the user is told.
    let run: @Sendable (ParsedCommand) throws(ControlError) -> ExitCode
}

/// Every subcommand; each has a file of its own under `Commands/`.
enum CommandTable {
    static let commands: [Command] = setup + daily + configuration
    private static let setup: [Command] = [
        SetupCommand.command, RegisterCommand.command, UnregisterCommand.command,
    ]
    private static let daily: [Command] = [
        StatusCommand.command, SendLocationCommand.command, DoctorCommand.command,
    ]
    private static let configuration: [Command] = [
        ConfigCheckCommand.command, ConfigExampleCommand.command,
    ]

    static let program = ProgramDefinition(
        "homing", summary: "set up, ask and drive the Home Assistant companion",
        version: homingVersion,
        options: [
            OptionDefinition("config", value: "FILE", help: "Read this file, not agent.conf")
        ],
        groups: [
            CommandGroup("Set up", setup.map(\.definition)),
            CommandGroup("Every day", daily.map(\.definition)),
            CommandGroup("Configuration", configuration.map(\.definition)),
        ])
}
