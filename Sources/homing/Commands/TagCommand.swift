import HomingCommandLine
import HomingControl
import HomingSocket

/// `homing tag`: as if a tag had been scanned here.
enum TagCommand {
    static let command = Command(
        definition: CommandDefinition(
            "tag", summary: "Tell Home Assistant that a tag was scanned here",
            options: [Output.json],
            arguments: [ArgumentDefinition("ID", help: "The tag's id")],
            examples: [
                ExampleDefinition("homing tag 04:A2:FE:12", help: "fires tag_scanned there")
            ],
            exitCodes: [
                ExitCodeDefinition(0, help: "Home Assistant has it"),
                ExitCodeDefinition(64, help: "an id that is none"),
                CommonExit.notRegistered, CommonExit.notReached, CommonExit.unknown,
                CommonExit.refused("Home Assistant did not take it"), CommonExit.notPermitted,
            ]),
        run: { (command: ParsedCommand) throws(ControlError) -> ExitCode in
            let params = ControlCommand.ScanTag(tag: command.arguments[0])
            _ = try ControlClient().call(.scanTag(params), returning: Done.self)
            Output.show(["outcome": "done"], command, text: "Home Assistant has it.")
            return .done
        })
}
