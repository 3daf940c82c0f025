import HomingCommandLine
import HomingControl
import HomingSocket

/// `homing say`: Home Assistant's conversation.
enum SayCommand {
    static let command = Command(
        definition: CommandDefinition(
            "say", summary: "Say something to Home Assistant, and print what it answers",
            discussion: """
                What is said within five minutes goes on with the same conversation, so that an \
                assistant that asks back can be answered. It is said once; if no answer comes, \
                whether it was carried out is not known.
                """,
            options: [
                OptionDefinition("new", help: "Begin another conversation"),
                OptionDefinition(
                    "language", value: "TAG", help: "The language of the text: en, de-CH"),
                Output.json,
            ],
            arguments: [
                ArgumentDefinition("TEXT", .oneOrMore, help: "What to say; words are joined")
            ],
            examples: [
                ExampleDefinition("homing say turn on the lights", help: "in its own language")
            ],
            exitCodes: [
                ExitCodeDefinition(0, help: "understood"),
                ExitCodeDefinition(64, help: "there is nothing to say"),
                CommonExit.notRegistered, CommonExit.notReached, CommonExit.unknown,
                CommonExit.refused("not understood, or not carried out; the answer says which"),
                CommonExit.notPermitted,
            ]),
        run: run)

    private static func run(_ command: ParsedCommand) throws(ControlError) -> ExitCode {
        let params = ControlCommand.Say(
            text: command.arguments.joined(separator: " "), language: command.value("language"),
            isNew: command.has("new"))
        let result = try ControlClient().call(.say(params), returning: SayResult.self)
        Output.show(result, command, text: result.speech)
        return result.responseType == "error" ? .refused : .done
    }
}
