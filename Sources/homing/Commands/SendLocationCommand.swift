import HomingCommandLine
import HomingControl
import HomingTerminal

extension Command {
    /// `homing send-location`: report now.
    static let sendLocation = CommandDefinition(
        "send-location", summary: "Report where this machine is, now",
        discussion: """
            Asks the receiver for its location, and sends the location also if the machine has not \
            moved. Waits up to 25 s for the delivery. An undelivered report stays in the queue. \
            Where there are several homes, the report goes to all homes at once, or to the home \
            that --home names. The exit code is the highest of all homes' codes.

            A zone must be one of Home Assistant's, see homing zones. Where Home Assistant cannot \
            be asked and has not listed its zones before, the name is reported unchecked.
            """,
        options: [
            OptionDefinition(
                "zone", value: "NAME",
                help: "Report this zone instead of coordinates: home, not_home, or its name"),
            OptionDefinition(
                "unknown-zone", help: "Report it also if Home Assistant has no such zone"),
        ],
        examples: [
            "homing send-location": "the receiver's location",
            "homing send-location --zone Work": "a zone by its name",
        ],
        exitCodes: .ofDaemon + [
            66: "not registered",
            0: "delivered, or safely queued",
            64: "Home Assistant has no such zone",
            75: "the receiver gave no location in time",
            76: "Home Assistant refused the report",
        ]
    ).runs(sendLocation)

    private static func sendLocation(_ command: ParsedCommand) throws(ControlError) -> ExitCode {
        let request = ControlCommand.sendLocation(
            zone: command.value("zone"),
            allowUnknown: command.has("unknown-zone") ? true : nil)
        let client = try ControlClient()
        var homes: [String] = []
        if client.home == nil {
            let report = try client.call(.homes, returning: HomesReport.self)
            homes = report.homes.map(\.name) + report.failed.map(\.name)
        }
        guard homes.count > 1 else {
            try printLocationResult(try client.call(request, returning: SendLocationResult.self))
            return .done
        }
        let results = client.call(request, about: homes, returning: SendLocationResult.self)
        var codes: [ExitCode] = []
        for (home, result) in zip(homes, results) {
            do throws(ControlError) { try printLocationResult(try result.get(), of: home) } catch {
                codes.append(Terminal.reportControlError(error, of: home))
            }
        }
        return codes.max { $0.rawValue < $1.rawValue } ?? .done
    }

    /// - Parameter home: the home that the result is about, where there are several.
    private static func printLocationResult(
        _ result: SendLocationResult, of home: String? = nil
    ) throws(ControlError) {
        let owner = home.map { "\($0): " } ?? ""
        if result.isUnchecked == true {
            Terminal.print(
                "\(owner)Home Assistant's zones are not known here now, so the name was not checked."
            )
        }
        switch result.outcome {
        case .delivered: Terminal.print("\(owner)Delivered.")
        case .queued: Terminal.print(Terminal.typed(owner + queued(result).namingHome(home)))
        case .noPosition:
            throw ControlError(
                .temporary,
                "there is no location: neither receiver, network nor GeoClue shows where this machine is",
                hint: "see: homing status. The next good location will be sent")
        case .rejected:
            throw ControlError(
                .refused, "Home Assistant refused the report", hint: "see: homing status")
        }
    }

    private static func queued(_ result: SendLocationResult) -> String {
        guard let reason = result.reason else {
            return
                "Queued: Home Assistant has not confirmed the report yet. Homing sends the report until Home Assistant does."
        }
        let hint = result.hint.map { "\nWhat to do: \($0)" } ?? ""
        return "Queued, and sent later: \(reason).\(hint)"
    }
}
