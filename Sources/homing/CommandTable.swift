import HomingBase
import HomingCommandLine
import HomingControl

/// A subcommand: its declaration, and what it does.
struct Command: Sendable {
    let definition: CommandDefinition
    /// Runs it; throws what the user is told.
    let run: @Sendable (ParsedCommand) throws(ControlError) -> ExitCode
}

extension CommandDefinition {
    /// A command that ends with the code it says.
    func runs(
        _ run: @escaping @Sendable (ParsedCommand) throws(ControlError) -> ExitCode
    ) -> Command {
        Command(definition: self, run: run)
    }

    /// A command that has done its work when it returns.
    func runs(_ run: @escaping @Sendable (ParsedCommand) throws(ControlError) -> Void) -> Command {
        runs { (command: ParsedCommand) throws(ControlError) -> ExitCode in
            try run(command)
            return .done
        }
    }
}

/// Every subcommand; each has a file of its own under `Commands/`.
enum CommandTable {
    static let commands: [Command] = groups.flatMap(\.commands)

    /// The headings of the help, and what stands under each.
    private static let groups: [(title: String, commands: [Command])] = [
        (
            "Set up",
            [
                SetupCommand.command, RegisterCommand.command, RegistrationCommand.command,
                RegistrationUpdateCommand.command, EncryptCommand.command,
                UnregisterCommand.command, HomesCommand.command, RenameHomeCommand.command,
                RemoveHomeCommand.command,
            ]
        ),
        (
            "Every day",
            [
                StatusCommand.command, SendLocationCommand.command, TrackCommand.command,
                NotifyCommand.command, ReceiveNotificationCommand.command,
                RefreshNotificationsCommand.command, DoctorCommand.command,
            ]
        ),
        (
            "Drive Home Assistant",
            [
                EventCommand.command, CallCommand.command, TagCommand.command, SayCommand.command,
            ]
        ),
        (
            "Ask Home Assistant",
            [
                TemplateCommand.command, ZonesCommand.command, CameraCommand.command,
                HomeAssistantConfigurationCommand.command,
            ]
        ),
        ("Configuration", [ConfigCheckCommand.command, ConfigExampleCommand.command]),
    ]

    static let program = ProgramDefinition(
        "homing", summary: "set up, ask and drive the Home Assistant companion",
        version: homingVersion,
        options: [
            OptionDefinition("config", value: "FILE", help: "Read this file, not agent.conf"),
            OptionDefinition(
                "home", value: "NAME", suggested: { OfflineState.names },
                help: "The home that is meant, where there are several; also HOMING_HOME"),
        ],
        groups: groups.map { CommandGroup($0.title, $0.commands.map(\.definition)) })
}
