import HomingCommandLine
import HomingControl
import HomingJSON
import HomingReports
import HomingTerminal

extension Command {
    /// `homing template`: a question in Jinja.
    static let template = CommandDefinition(
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
            Terminal.json,
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
            64: "a variable is not NAME=VALUE",
            76: "the template is wrong",
        ]
    ).runs(renderTemplate)

    private static func renderTemplate(_ command: ParsedCommand) throws(ControlError) {
        let given = command.arguments[0]
        let request = ControlCommand.renderTemplate(
            template: given == "-" ? try DataInput.standardInput() : given,
            variables: try DataInput.object(command.values["variable"] ?? []))
        let result = try ControlClient().call(request, returning: JSONValue.self)
        Terminal.show(result, command, text: result.text ?? result.json())
    }

    /// `homing zones`: Home Assistant's zones, seen from here.
    static let zones = CommandDefinition(
        "zones", summary: "Show Home Assistant's zones, their distances, and the present zone",
        discussion: """
            Distances are from the receiver's last good location to the centre of each zone. Home \
            Assistant puts that location in the zone marked with *.
            """,
        options: [Terminal.json],
        exitCodes: .ofHomeAssistant + [0: "shown", 76: "Home Assistant does not list its zones"]
    ).runs { (command: ParsedCommand) throws(ControlError) -> Void in
        let report = try ControlClient().call(.zones, returning: ZonesReport.self)
        Terminal.show(report, command, text: report.text)
    }

    /// `homing camera`: where a camera's stream is.
    static let camera = CommandDefinition(
        "camera", summary: "Print where the stream of a camera is",
        discussion: """
            The address belongs to the endpoint in use: at home the instance's, \
            elsewhere that of the remote UI, if there is one. Home Assistant wants a token for \
            it, in the header Authorization: Bearer, unless the address has one in it.
            """,
        options: [Terminal.json],
        arguments: [ArgumentDefinition("ENTITY", help: "The camera: camera.door")],
        examples: ["homing camera camera.door": "one address a line"],
        exitCodes: .ofHomeAssistant + [0: "printed", 76: "Home Assistant has no such camera"]
    ).runs { (command: ParsedCommand) throws(ControlError) -> Void in
        let result = try ControlClient().call(
            .camera(entity: command.arguments[0]), returning: CameraResult.self)
        let lines = [result.mjpegURL, result.hlsURL].compactMap { $0 }
        Terminal.show(result, command, text: lines.joined(separator: "\n"))
    }

    /// `homing config home-assistant`: what Home Assistant tells of itself.
    static let homeAssistantConfiguration = CommandDefinition(
        "config home-assistant", summary: "Show Home Assistant's own configuration",
        discussion: """
            The addresses that Home Assistant Cloud gave are keys to this registration: only \
            their hosts are shown.
            """,
        options: [Terminal.json],
        examples: [
            "homing config home-assistant --json | jq .components":
                "the integrations that are loaded"
        ],
        exitCodes: .ofHomeAssistant + [
            0: "shown",
            76: "Home Assistant does not answer the question",
        ]
    ).runs { (command: ParsedCommand) throws(ControlError) -> Void in
        let reply = try ControlClient().call(
            .homeAssistantConfiguration, returning: JSONValue.self)
        Terminal.show(reply, command, text: HomeAssistantText(reply).text)
    }
}
