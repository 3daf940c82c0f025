import Glibc
import HomingCommandLine
import HomingControl
import HomingReports
import HomingSocket

/// `homing status`: everything there is to know.
enum StatusCommand {
    static let command = CommandDefinition(
        "status", summary: "Show the way home, the position, the queue and what is wrong",
        options: [
            Output.json,
            OptionDefinition("watch", short: "w", help: "Keep showing it as it changes"),
        ],
        examples: [
            "homing status --watch": "live",
            "homing status --json | jq .homes[].queues": "the books of the queue",
        ],
        exitCodes: [
            0: "shown",
            69: "the daemon is not running",
            77: "the socket may not be reached by this user",
        ]
    ).runs(run)

    private static func run(_ command: ParsedCommand) throws(ControlError) -> ExitCode {
        let json = command.has("json")
        let client = try ControlClient()
        guard command.has("watch") else {
            let report = try client.call(.status, returning: StatusReport.self)
            show(report, json)
            return .done
        }
        try client.stream(.watchStatus, of: StatusReport.self) { report in
            // A program reads one object a line; a person sees one page, drawn over the last.
            if json {
                Terminal.print(json: report.json(pretty: false))
            } else if Terminal.isOutputInteractive {
                Terminal.redraw(text(report))
            } else {
                show(report, json)
            }
            return true
        }
        return .done
    }

    private static func show(_ report: StatusReport, _ json: Bool) {
        if json { return Terminal.print(json: report.json()) }
        Terminal.print(text(report), terminator: "")
    }

    private static func text(_ report: StatusReport) -> String {
        StatusText(report: report, now: Double(time(nil))).text
    }
}
