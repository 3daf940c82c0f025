import HomingCommandLine
import HomingControl
import HomingJSON
import HomingReports

/// `homing config home-assistant`: what Home Assistant tells of itself.
enum HomeAssistantConfigurationCommand {
    static let command = CommandDefinition(
        "config home-assistant", summary: "Show what Home Assistant tells of itself",
        discussion: """
            The addresses that Home Assistant Cloud gave are keys to this registration: only \
            their hosts are shown.
            """,
        options: [Output.json],
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
        Output.show(reply, command, text: HomeAssistantText(reply).text)
    }
}
