import HomingCommandLine
import HomingControl

/// `homing unregister`: forget Home Assistant.
enum UnregisterCommand {
    static let command = CommandDefinition(
        "unregister", summary: "Forget the registration; the queue is kept",
        discussion: """
            The device stays in Home Assistant until it is removed there: Settings, Devices, \
            Mobile App. A token that homing setup made is revoked, if Home Assistant can be \
            reached; one that was given stays until it is deleted: your profile, Security.
            """,
        options: [OptionDefinition("yes", short: "y", help: "Do not ask, on a terminal either")],
        examples: [
            "homing unregister": "asks before, on a terminal",
            "homing unregister --yes": "does not ask",
        ],
        exitCodes: [
            0: "forgotten",
            1: "the question was answered by no",
            66: "there is no registration",
            77: "not permitted for this user",
        ]
    ).runs(run)

    private static func run(_ command: ParsedCommand) throws(ControlError) -> ExitCode {
        let question = "Forget the registration of this machine? There is no way back."
        guard command.has("yes") || Terminal.confirms(question) else {
            Terminal.print("Nothing was changed.")
            return .failure
        }
        let result: UnregisterResult
        if let client = try RunningDaemon.connect() {
            result = try client.call(.unregister, returning: UnregisterResult.self)
        } else {
            result = try OfflineRegistration.forget(configuration: command.value("config"))
        }
        Terminal.print(result.text)
        return .done
    }
}
