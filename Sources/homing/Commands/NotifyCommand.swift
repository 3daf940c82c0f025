import HomingCommandLine
import HomingControl

/// `homing notify`: a notification, shown as one from Home Assistant would be.
enum NotifyCommand {
    static let command = CommandDefinition(
        "notify", summary: "Show a notification, as one from Home Assistant would be",
        discussion: """
            What happens here is what happens to a notification that has arrived: it is \
            bounded and cleaned, shown on the desktop or told to the journal and the hook, and \
            its buttons fire events in Home Assistant. For who only sits at the machine it is \
            shown, and that is all.
            """,
        options: [
            OptionDefinition("title", value: "TEXT", help: "Its title"),
            OptionDefinition("data", value: "JSON", help: "Its data, as an automation writes it"),
        ],
        arguments: [ArgumentDefinition("TEXT", help: "the message")],
        examples: [
            "homing notify 'Dinner is ready'": "a text",
            "homing notify --data "
                + #"'{"actions":[{"action":"YES","title":"Yes"}]}' 'Open the gate?'"#:
                "with a button",
        ],
        exitCodes: .ofDaemon + [
            0: "shown",
            64: "the data is no JSON object",
            75: "too many at once, and not trusted with everything",
        ]
    ).runs(run)

    private static func run(_ command: ParsedCommand) throws(ControlError) {
        let request = ControlCommand.notify(
            message: command.arguments.first ?? "", title: command.value("title"),
            data: command.value("data"))
        let result = try ControlClient().call(request, returning: NotifyResult.self)
        for remark in result.remarks { Terminal.print("Note: \(remark)") }
        switch result.outcome {
        case .desktop: Terminal.print("The desktop shows it.")
        case .journal:
            let reason = result.problem.map { ": \($0)" } ?? ""
            Terminal.print("It is in the journal; no desktop shows it\(reason).")
        case .folded: Terminal.print("There are too many at once: it is in a summary.")
        case .replaced: Terminal.print("It was replaced or cleared before it was shown.")
        case .order: Terminal.print("It is an order: the journal says what became of it.")
        }
    }
}
