import HomingCommandLine
import HomingControl
import HomingSocket

/// `homing notifications receive`: the end of a relay's way.
enum ReceiveNotificationCommand {
    static let command = Command(
        definition: CommandDefinition(
            "notifications receive", summary: "Take a notification that a relay has brought",
            discussion: """
                For the receiving end of a relay ([push] url): standard input is the body of Home \
                Assistant's POST, as it is. It is shown unless it came by the WebSocket too, or \
                was received before; the two are told to be the same by Home Assistant's \
                hass_confirm_id. At most 60 kB are taken.
                """,
            examples: [
                ExampleDefinition(
                    "homing notifications receive < body.json", help: "as the relay stored it")
            ],
            exitCodes: [
                ExitCodeDefinition(0, help: "taken, now or before"),
                ExitCodeDefinition(64, help: "it is no notification, or too long"),
                ExitCodeDefinition(66, help: "not registered"),
                ExitCodeDefinition(69, help: "the daemon is not running"),
                ExitCodeDefinition(76, help: "it was sent to another registration"),
                ExitCodeDefinition(77, help: "not permitted for this user"),
            ]),
        run: run)

    private static func run(_ command: ParsedCommand) throws(ControlError) -> ExitCode {
        let params = ControlCommand.ReceiveNotification(body: try StandardInput.readAll())
        let result = try ControlClient().call(
            .receiveNotification(params), returning: ReceiveResult.self)
        Terminal.print(result.wasKnown ? "It had come before." : "It was taken.")
        return .done
    }
}
