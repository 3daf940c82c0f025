import HomingCommandLine
import HomingControl
import HomingReports

/// `homing registration`: what binds this machine to a Home Assistant, without its secrets.
enum RegistrationCommand {
    static let command = CommandDefinition(
        "registration", summary: "Show the registration, without its secrets",
        options: [Output.json],
        exitCodes: [
            0: "shown",
            66: "not registered",
            77: "not permitted for this user",
        ]
    ).runs { (command: ParsedCommand) throws(ControlError) -> Void in
        let report = try read()
        Output.show(report, command, text: RegistrationText(report: report).text)
    }

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
    static let command = CommandDefinition(
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
        examples: ["homing registration update --name Van": "another name"],
        exitCodes: .ofHomeAssistant + [
            0: "Home Assistant knows",
            64: "a name that is none",
            75: "a registration is under way",
            76: "Home Assistant did not take it",
        ]
    ).runs { (command: ParsedCommand) throws(ControlError) -> Void in
        let request = ControlCommand.updateRegistration(deviceName: command.value("name"))
        let report = try ControlClient().call(request, returning: RegistrationReport.self)
        Output.show(report, command, text: RegistrationText(report: report).text)
    }
}
