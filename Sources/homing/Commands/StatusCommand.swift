import Glibc
import HomingCommandLine
import HomingControl
internal import HomingHealth
import HomingReports
import HomingTerminal

extension Command {
    /// `homing status`: everything there is to know.
    static let status = CommandDefinition(
        "status", summary: "Show the route, the location, the queue and the warnings",
        discussion:
            "If there are several homes, the command shows all, or the home that --home names.",
        options: [
            Terminal.json,
            OptionDefinition("watch", short: "w", help: "Show the status again at each change"),
        ],
        examples: [
            "homing status --watch": "live",
            "homing status --json | jq .homes[].queues": "the counters of the queue",
        ],
        exitCodes: [
            0: "shown",
            64: "there is no such home",
            69: "the daemon is not running, or does not answer",
            77: "not permitted for this user",
        ]
    ).runs(status)

    private static func status(_ command: ParsedCommand) throws(ControlError) {
        let client = try ControlClient()
        guard command.has("watch") else {
            show(try client.call(.status, returning: StatusReport.self), command)
            if !command.has("json"), let note = noteOfOtherDaemon(client) { Terminal.error(note) }
            return
        }
        try client.stream(.watchStatus, of: StatusReport.self) { report in
            // A program reads one object a line; a person sees one page, drawn over the last.
            if command.has("json") {
                Terminal.print(json: ReportJSON.text(report, pretty: false))
            } else if Terminal.isOutputInteractive {
                Terminal.redraw(text(report))
            } else {
                show(report, command)
            }
            return !Terminal.isOutputLost
        }
    }

    /// Note about the daemon of which the status says nothing.
    private static func noteOfOtherDaemon(_ client: ControlClient) -> String? {
        guard let daemons = MachineDaemons.present else { return nil }
        if client.isAnotherUsers, let hint = daemons.hintOfKeptDaemon {
            return "This is the status of the system's daemon. \(hint)."
        }
        let notes = daemons.warningsOfRegistration.compactMap { warning in
            warning.hint.map { "Careful: \(warning.text).\n  → \(Terminal.typed($0.namingHome()))" }
        }
        return notes.isEmpty ? nil : notes.joined(separator: "\n")
    }

    private static func show(_ report: StatusReport, _ command: ParsedCommand) {
        Terminal.show(report, command, text: text(report), terminator: "")
    }

    private static func text(_ report: StatusReport) -> String {
        var report = report
        for index in report.warnings.indices {
            report.warnings[index].hint = Terminal.typed(report.warnings[index].hint)
        }
        for home in report.homes.indices {
            for index in report.homes[home].warnings.indices {
                let hint = report.homes[home].warnings[index].hint
                report.homes[home].warnings[index].hint = Terminal.typed(hint)
            }
        }
        return StatusText(report: report, now: Double(time(nil))).text
    }
}
