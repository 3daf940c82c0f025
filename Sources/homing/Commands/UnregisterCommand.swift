import HomingCommandLine
import HomingControl

/// `homing unregister`: forget Home Assistant.
enum UnregisterCommand {
    static let command = Command(
        definition: CommandDefinition(
            "unregister", summary: "Forget the registration; the queue is kept",
            discussion: """
                The device stays in Home Assistant until it is removed there: Settings, Devices, \
                Mobile App. A token that homing setup made is revoked, if Home Assistant can be \
                reached; one that was given stays until it is deleted: your profile, Security.
                """,
            exitCodes: [
                ExitCodeDefinition(0, help: "forgotten"),
                ExitCodeDefinition(66, help: "there is no registration"),
                ExitCodeDefinition(77, help: "not permitted for this user"),
            ]),
        run: run)

    private static func run(_ command: ParsedCommand) throws(ControlError) -> ExitCode {
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
