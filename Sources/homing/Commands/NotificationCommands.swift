import HomingBase
import HomingCommandLine
import HomingControl
import HomingReports
import HomingRuntime
import HomingTerminal

extension Command {
    /// `homing notify`: a notification, shown as one from Home Assistant would be.
    static let notify = CommandDefinition(
        "notify", summary: "Show a notification, as one from Home Assistant would be",
        discussion: """
            Treats the notification as one from Home Assistant. Homing bounds and cleans the \
            text. A desktop shows the text, or the journal and the hook get the text. Buttons \
            fire events in Home Assistant. From users other than root, the daemon's user and the \
            group homing, the notification is only shown or logged: its buttons fire no events.
            """,
        options: [
            OptionDefinition("title", value: "TEXT", help: "Its title"),
            OptionDefinition("data", value: "JSON", help: "Its data, as an automation writes it"),
        ],
        arguments: [ArgumentDefinition("TEXT", help: "The message")],
        examples: [
            "homing notify 'Dinner is ready'": "a text",
            "homing notify --data "
                + #"'{"actions":[{"action":"YES","title":"Yes"}]}' 'Open the gate?'"#:
                "with a button",
        ],
        exitCodes: .ofHome + .ofDaemon + [
            0: "shown",
            64: "the data is no JSON object",
            75: "too many notifications at once, of a user who may not do everything",
        ]
    ).runs(show)

    private static func show(_ command: ParsedCommand) throws(ControlError) {
        let request = ControlCommand.notify(
            message: command.arguments.first ?? "", title: command.value("title"),
            data: command.value("data"))
        let result = try ControlClient().call(request, returning: NotifyResult.self)
        for remark in result.remarks { Terminal.print("Note: \(remark)") }
        switch result.outcome {
        case .desktop: Terminal.print("Shown on the desktop.")
        case .journal:
            let reason = result.problem.map { ": \($0)" } ?? ""
            Terminal.print(
                "Written to the journal, because no desktop shows notifications\(reason).")
        case .folded: Terminal.print("Too many notifications at once: shown in a summary.")
        case .replaced: Terminal.print("Replaced or cleared before it was shown.")
        case .order: Terminal.print("The notification is a command: the journal shows the result.")
        }
    }

    /// `homing notifications`: the newest of them.
    static let notifications = CommandDefinition(
        "notifications", summary: "List the newest notifications",
        discussion: """
            Homing keeps the newest 50 notifications in memory, until Homing ends. Each has its \
            time, its text, where the notification was shown, and the button that was pressed. \
            With --home NAME, the list has the notifications of this home alone.
            """,
        options: [Terminal.json],
        examples: ["homing notifications": "the newest last"],
        exitCodes: .ofDaemon + [0: "listed"]
    ).runs { (command: ParsedCommand) throws(ControlError) -> Void in
        let report = try ControlClient().call(
            .notifications, returning: NotificationsReport.self)
        let text = report.text { CalendarTime(local: $0) }
        Terminal.show(report, command, text: text, terminator: "")
    }

    /// `homing notifications receive`: the end of a relay's way.
    static let receiveNotification = CommandDefinition(
        "notifications receive", summary: "Take a notification that a relay has brought",
        discussion: """
            For the receiving end of a relay ([push] url): standard input is the body of Home \
            Assistant's POST, as it is. The notification is shown unless it came by the WebSocket \
            too, or was received before. Homing recognises both by Home Assistant's \
            hass_confirm_id. At most 60 kB are taken. Where there are several homes, the body \
            says which home it is for.
            """,
        examples: ["homing notifications receive < body.json": "as the relay stored it"],
        exitCodes: .ofQueue + [
            0: "taken, now or before",
            64: "it is no notification, or too long",
            76: "it was sent to another registration",
        ]
    ).runs(receive)

    private static func receive(_ command: ParsedCommand) throws(ControlError) {
        let request = ControlCommand.receiveNotification(body: try DataInput.standardInput())
        let result = try ControlClient().call(request, returning: ReceiveResult.self)
        Terminal.print(
            result.wasKnown ? "The notification was taken before." : "The notification is taken.")
    }

    /// `homing notifications refresh`: the categories of notifications, asked again.
    static let refreshNotifications = CommandDefinition(
        "notifications refresh", summary: "Ask Home Assistant again for categories of actions",
        discussion: """
            Categories are the older scheme of actionable notifications: ios: push: \
            categories: in Home Assistant's configuration.yaml. Homing asks for them whenever the \
            channel for notifications is opened. If you have just changed them, run this command.
            """,
        exitCodes: .ofQueue + [0: "asked", 75: "Home Assistant cannot be asked now"]
    ).runs(refresh)

    private static func refresh(_ command: ParsedCommand) throws(ControlError) {
        let result = try ControlClient().call(.refreshNotifications, returning: RefreshResult.self)
        for problem in result.problems { Terminal.print("Note: \(problem)") }
        guard let count = result.categories else {
            Terminal.print("Home Assistant has no categories: its ios integration is not set up.")
            if result.kept > 0 {
                Terminal.print(
                    "Home Assistant may be starting: earlier categories are kept for five minutes."
                )
            }
            return
        }
        Terminal.print("\(count) \(count == 1 ? "category" : "categories") can be used.")
    }
}
