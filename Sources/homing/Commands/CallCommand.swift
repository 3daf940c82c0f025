import HomingBase
import HomingCommandLine
import HomingControl

/// `homing call`: a service of Home Assistant.
enum CallCommand {
    static let command = CommandDefinition(
        "call", summary: "Call a service of Home Assistant, now and once",
        discussion: """
            The call is never queued: a light must not go on hours later. It is sent once, and \
            answered when the service has finished, within a minute. If no answer comes, \
            whether it was carried out is not known, and it is not sent again by itself. It \
            runs with the rights of the user who registered this machine.

            Data that a service returns does not come back, and a service that must return data \
            is refused: Home Assistant's webhook has no answer for it.

            \(DataInput.explanation)
            """,
        options: [DataInput.option, Output.json],
        arguments: [
            ArgumentDefinition("DOMAIN.SERVICE", help: "The service: light.turn_on"),
            DataInput.argument,
        ],
        examples: [
            "homing call light.turn_on entity_id=light.kitchen brightness=120": "two fields",
            #"homing call notify.notify --data '{"message": "All is well"}'"#: "the data as JSON",
        ],
        exitCodes: .ofHomeAssistant + .unknown + [
            0: "carried out",
            64: "no service's name, or data that is none",
            76: "Home Assistant did not carry it out: no such service, say",
        ]
    ).runs(run)

    private static func run(_ command: ParsedCommand) throws(ControlError) {
        let name = command.arguments[0]
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts.allSatisfy({ $0.isMade(of: slug) }) else {
            throw ControlError(
                .usage, "\"\(name)\" is no service", hint: "name it like light.turn_on")
        }
        let request = ControlCommand.callService(
            domain: parts[0], service: parts[1],
            data: try DataInput.read(command, words: command.arguments.dropFirst()))
        _ = try ControlClient().call(request, returning: Done.self)
        Output.show(["outcome": "done"], command, text: "Done.")
    }

    private static let slug = smallLetters + digits + "_"
}
