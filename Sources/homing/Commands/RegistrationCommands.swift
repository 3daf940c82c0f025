import HomingCommandLine
import HomingControl
import HomingReports
import HomingSocket

/// `homing registration`: what binds this machine to a Home Assistant, without its secrets.
enum RegistrationCommand {
    static let command = Command(
        definition: CommandDefinition(
            "registration", summary: "Show the registration, without its secrets",
            options: [Output.json],
            exitCodes: [
                ExitCodeDefinition(0, help: "shown"),
                CommonExit.notRegistered, CommonExit.notPermitted,
            ]),
        run: { (command: ParsedCommand) throws(ControlError) -> ExitCode in
            let report = try read()
            Output.show(report, command, text: RegistrationText(report: report).text)
            return .done
        })

    /// By the daemon, or by ourselves where none runs.
    private static func read() throws(ControlError) -> RegistrationReport {
        if let daemon = try RunningDaemon.connect() {
            return try daemon.call(.registration, returning: RegistrationReport.self)
        }
        let state = try OfflineState()
        guard let registration = try state.load() else {
            throw ControlError(.notRegistered, "there is no registration in \(state.folder)")
        }
        return RegistrationReport(registration)
    }
}

/// `homing registration update`: tell Home Assistant what this machine is now.
enum RegistrationUpdateCommand {
    static let command = Command(
        definition: CommandDefinition(
            "registration update", summary: "Tell Home Assistant what this machine is now",
            discussion: """
                Homing does it by itself when its version or the machine's name, model or system \
                is another than was told. A name that was chosen, here or by homing register \
                --name, stays when the machine's changes. Another name renames the device and its \
                notify service at once; entities keep their ids.
                """,
            options: [
                OptionDefinition("name", value: "NAME", help: "Name the device so from now on"),
                Output.json,
            ],
            examples: [
                ExampleDefinition("homing registration update --name Van", help: "another name")
            ],
            exitCodes: [
                ExitCodeDefinition(0, help: "Home Assistant knows"),
                ExitCodeDefinition(64, help: "a name that is none"),
                CommonExit.notRegistered, CommonExit.notReached,
                ExitCodeDefinition(75, help: "a registration is under way"),
                CommonExit.refused("Home Assistant did not take it"), CommonExit.notPermitted,
            ]),
        run: { (command: ParsedCommand) throws(ControlError) -> ExitCode in
            let params = ControlCommand.UpdateRegistration(deviceName: command.value("name"))
            let report = try ControlClient().call(
                .updateRegistration(params), returning: RegistrationReport.self)
            Output.show(report, command, text: RegistrationText(report: report).text)
            return .done
        })
}
