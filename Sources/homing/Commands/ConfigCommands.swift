import HomingCommandLine
import HomingConfiguration
import HomingControl
import HomingRuntime

/// `homing config check`: is the configuration right?
enum ConfigCheckCommand {
    static let command = Command(
        definition: CommandDefinition(
            "config check", summary: "Check agent.conf and its drop-ins",
            examples: [
                ExampleDefinition("homing config check", help: "the daemon's configuration"),
                ExampleDefinition("homing config check --config FILE", help: "another file"),
            ],
            exitCodes: [
                ExitCodeDefinition(0, help: "it is right"),
                ExitCodeDefinition(78, help: "it is not; each problem is one line"),
            ]),
        run: run)

    private static func run(_ command: ParsedCommand) throws(ControlError) -> ExitCode {
        let given = command.value("config")
        let path = given ?? Folders.configuration()
        switch ConfigurationLoader.load(path: path, explicit: given != nil) {
        case .success:
            Terminal.print("\(path) is right.")
            return .done
        case .failure(let errors):
            Terminal.error("\(errors)")
            return .configuration
        }
    }
}

/// `homing config example`: every key with its default and its documentation.
enum ConfigExampleCommand {
    static let command = Command(
        definition: CommandDefinition(
            "config example", summary: "Print a configuration with every key explained",
            examples: [
                ExampleDefinition(
                    "homing config example > /etc/homing/agent.conf", help: "to begin with")
            ]),
        run: { (_: ParsedCommand) throws(ControlError) -> ExitCode in
            Terminal.print(Configuration.example(), terminator: "")
            return .done
        })
}
