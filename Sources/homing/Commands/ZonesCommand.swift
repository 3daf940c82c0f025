import HomingCommandLine
import HomingControl
import HomingReports

/// `homing zones`: Home Assistant's zones, seen from here.
enum ZonesCommand {
    static let command = CommandDefinition(
        "zones", summary: "Show Home Assistant's zones, how far they are, and which we are in",
        discussion: """
            Distances are from the receiver's last good position to the centre of each zone; the \
            zone marked with * is the one that Home Assistant puts that position in.
            """,
        options: [Output.json],
        exitCodes: .ofHomeAssistant + [0: "shown", 76: "Home Assistant does not tell its zones"]
    ).runs { (command: ParsedCommand) throws(ControlError) -> Void in
        let report = try ControlClient().call(.zones, returning: ZonesReport.self)
        Output.show(report, command, text: ZonesText(report: report).text)
    }
}
