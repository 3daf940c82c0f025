import HomingCommandLine
import HomingControl

extension Command {
    /// `homing send-location`: report now.
    static let sendLocation = CommandDefinition(
        "send-location", summary: "Report where this machine is, now",
        discussion: """
            Asks the receiver for its position and sends it, whether it moved or not, and waits up \
            to 25 s for Home Assistant to have it. What is not delivered by then stays in the \
            queue. Where there are several homes, the report goes to each home, or to the home that \
            --home names.

            A zone must be one of Home Assistant's, see homing zones. Where Home Assistant cannot \
            be asked and has not told its zones before, the name is reported as it is.
            """,
        options: [
            OptionDefinition(
                "zone", value: "NAME",
                help: "Report this zone in place of a position: home, not_home, or its name"),
            OptionDefinition(
                "unknown-zone", help: "Report it also if Home Assistant has no such zone"),
        ],
        examples: [
            "homing send-location": "the receiver's position",
            "homing send-location --zone Work": "a zone by its name",
        ],
        exitCodes: .ofQueue + [
            0: "delivered, or safely queued",
            64: "Home Assistant has no such zone",
            75: "the receiver gave no position in time",
            76: "Home Assistant refused it",
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
        guard homes.count > 1 else { return try send(request, client, "") }
        var worst: ExitCode?
        for home in homes {
            do throws(ControlError) { _ = try send(request, client.about(home), "\(home): ") } catch
            {
                let code = Terminal.tell(error, of: "\(home): ")
                worst = worst ?? code
            }
        }
        return worst ?? .done
    }

    /// Sends to one home.
    ///
    /// - Parameter owner: what the lines begin with.
    private static func send(
        _ request: ControlCommand, _ client: ControlClient, _ owner: String
    ) throws(ControlError) -> ExitCode {
        let result = try client.call(request, returning: SendLocationResult.self)
        if result.isUnchecked == true {
            Terminal.print(
                "\(owner)Home Assistant's zones are not known here now, so the name was not checked."
            )
        }
        switch result.outcome {
        case .delivered:
            Terminal.print("\(owner)Home Assistant has it.")
            return .done
        case .queued:
            Terminal.print(owner + queued(result))
            return .done
        case .noPosition:
            throw ControlError(
                .temporary, "there is no position: the receiver has not given a good fix",
                hint: "see: homing status. The next good fix will be sent")
        case .rejected:
            throw ControlError(
                .refused, "Home Assistant refused it", hint: "see: homing status")
        }
    }

    private static func queued(_ result: SendLocationResult) -> String {
        guard let reason = result.reason else {
            return "Queued: Home Assistant has not confirmed it yet; it is sent until it does."
        }
        let hint = result.hint.map { "\nWhat to do: \($0)" } ?? ""
        return "Queued, and sent later: \(reason).\(hint)"
    }
}
