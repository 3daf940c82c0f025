import HomingCommandLine
import HomingControl

/// `homing tag`: as if a tag had been scanned here.
enum TagCommand {
    static let command = CommandDefinition(
        "tag", summary: "Tell Home Assistant that a tag was scanned here",
        options: [Output.json],
        arguments: [ArgumentDefinition("ID", help: "The tag's id")],
        examples: ["homing tag 04:A2:FE:12": "fires tag_scanned there"],
        exitCodes: .ofHomeAssistant + .unknown + [
            0: "Home Assistant has it",
            64: "an id that is none",
            76: "Home Assistant did not take it",
        ]
    ).runs { (command: ParsedCommand) throws(ControlError) -> Void in
        _ = try ControlClient().call(
            .scanTag(tag: command.arguments[0]), returning: Done.self)
        Output.show(["outcome": "done"], command, text: "Home Assistant has it.")
    }
}
