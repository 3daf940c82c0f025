import HomingCommandLine
import HomingControl
import HomingRuntime
import HomingStorage

/// `homing unregister`: forget Home Assistant.
enum UnregisterCommand {
    static let command = Command(
        definition: CommandDefinition(
            "unregister", summary: "Forget the registration; the queue is kept",
            discussion: """
                The device stays in Home Assistant until it is removed there: Settings, Devices, \
                Mobile App.
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
            try forget()
        }
        Terminal.print("Forgotten. Remove the device in Home Assistant too, if you like.")
        return .done
    }

    /// Without a daemon the file is ours to delete.
    private static func forget() throws(ControlError) {
        let store = RegistrationStore(directory: Folders.state())
        do throws(RegistrationError) {
            guard try store.load() != nil else {
                throw .system(SystemError("no registration", number: 2))
            }
            try store.delete()
        } catch {
            throw ControlError(.notRegistered, "there is no registration to forget: \(error)")
        }
    }
}
