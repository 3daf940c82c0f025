import HomingCommandLine
import HomingControl

/// `homing notifications receive`: the end of a relay's way.
enum ReceiveNotificationCommand {
    static let command = CommandDefinition(
        "notifications receive", summary: "Take a notification that a relay has brought",
        discussion: """
            For the receiving end of a relay ([push] url): standard input is the body of Home \
            Assistant's POST, as it is. It is shown unless it came by the WebSocket too, or \
            was received before; the two are told to be the same by Home Assistant's \
            hass_confirm_id. At most 60 kB are taken.
            """,
        examples: ["homing notifications receive < body.json": "as the relay stored it"],
        exitCodes: .ofQueue + [
            0: "taken, now or before",
            64: "it is no notification, or too long",
            76: "it was sent to another registration",
        ]
    ).runs(run)

    private static func run(_ command: ParsedCommand) throws(ControlError) {
        let request = ControlCommand.receiveNotification(body: try StandardInput.readAll())
        let result = try ControlClient().call(request, returning: ReceiveResult.self)
        Terminal.print(result.wasKnown ? "It had come before." : "It was taken.")
    }
}
