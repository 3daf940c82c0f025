import HomingCommandLine
import HomingControl

/// `homing say`: Home Assistant's conversation.
enum SayCommand {
    static let command = CommandDefinition(
        "say", summary: "Say something to Home Assistant, and print what it answers",
        discussion: """
            What is said within five minutes goes on with the same conversation, so that an \
            assistant that asks back can be answered. It is said once; if no answer comes, \
            whether it was carried out is not known.
            """,
        options: [
            OptionDefinition("new", help: "Begin another conversation"),
            OptionDefinition("language", value: "TAG", help: "The language of the text: en, de-CH"),
            Output.json,
        ],
        arguments: [ArgumentDefinition("TEXT", .oneOrMore, help: "What to say; words are joined")],
        examples: ["homing say turn on the lights": "in its own language"],
        exitCodes: .ofHomeAssistant + .unknown + [
            0: "understood",
            64: "there is nothing to say",
            76: "not understood, or not carried out; the answer says which",
        ]
    ).runs(run)

    private static func run(_ command: ParsedCommand) throws(ControlError) -> ExitCode {
        let request = ControlCommand.say(
            text: command.arguments.joined(separator: " "), language: command.value("language"),
            isNew: command.has("new"))
        let result = try ControlClient().call(request, returning: SayResult.self)
        Output.show(result, command, text: result.speech)
        return result.responseType == "error" ? .refused : .done
    }
}
