import HomingCommandLine
import HomingControl
import HomingJSON

/// `homing template`: a question in Jinja.
enum TemplateCommand {
    static let command = CommandDefinition(
        "template", summary: "Let Home Assistant render a template, and print the result",
        discussion: """
            The template is rendered with the rights of Home Assistant itself: it may read every \
            state.

            \(DataInput.explanation)
            """,
        options: [
            OptionDefinition(
                "variable", value: "NAME=VALUE",
                help: "A variable of the template; may be given often"),
            Output.json,
        ],
        arguments: [
            ArgumentDefinition("TEXT", help: "The template; - reads it from standard input")
        ],
        examples: [
            "homing template \"{{ states('sun.sun') }}\"": "a state",
            "homing template '{{ n * 2 }}' --variable n=21": "with a variable",
        ],
        exitCodes: .ofHomeAssistant + [
            0: "rendered",
            64: "a variable that is no name=value",
            76: "the template is wrong",
        ]
    ).runs(run)

    private static func run(_ command: ParsedCommand) throws(ControlError) {
        let given = command.arguments[0]
        let request = ControlCommand.renderTemplate(
            template: given == "-" ? try StandardInput.readAll() : given,
            variables: try DataInput.object(command.values["variable"] ?? []))
        let result = try ControlClient().call(request, returning: JSONValue.self)
        Output.show(result, command, text: result.text ?? result.json())
    }
}
