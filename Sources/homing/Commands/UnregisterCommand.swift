import HomingCommandLine
import HomingControl

/// `homing unregister`: forget Home Assistant.
enum UnregisterCommand {
    static let command = Command(
        definition: CommandDefinition(
            "unregister", summary: "Forget the registration; the queue is kept",
            discussion: """
                The device stays in Home Assistant until it is removed there: Settings, Devices, \
                Mobile App. So does the long-lived access token, until it is deleted: your \
                profile, Security.
                """,
            exitCodes: [
                ExitCodeDefinition(0, help: "forgotten"),
                ExitCodeDefinition(66, help: "there is no registration"),
                ExitCodeDefinition(77, help: "not permitted for this user"),
            ]),
        run: run)

    private static func run(_ command: ParsedCommand) throws(ControlError) -> ExitCode {
        if let client = try RunningDaemon.connect() {
            _ = try client.call(.unregister, returning: Done.self)
        } else {
            let state = OfflineState()
            guard try state.load() != nil else {
                throw ControlError(.notRegistered, "there is no registration in \(state.folder)")
            }
            try state.delete()
        }
        Terminal.print(
            "Forgotten. The device and its access token are still in Home Assistant: remove the "
                + "device under Settings, Devices, and the token in your profile, Security.")
        return .done
    }
}
