import Glibc
import HomingCommandLine
import HomingControl
import HomingLocation
import HomingReports
import HomingTerminal

extension Command {
    /// `homing track`: where this machine has been, by its own log.
    static let track = CommandDefinition(
        "track", summary: "Show where this machine has been, or write it as GPX",
        discussion: """
            On a terminal it prints a summary; into a file or a pipe, or with --format, the \
            track itself. The daemon keeps each location that it accepted, about 400 000 of \
            them, whether or not Home Assistant could be reached. Half an hour without a \
            location is a gap, and begins another segment.

            A TIME is one of \(TimeArgument.forms).
            """,
        options: [
            OptionDefinition("since", value: "TIME", help: "Start (default: everything)"),
            OptionDefinition("until", value: "TIME", help: "End (default: now)"),
            OptionDefinition(
                "format", value: "FORMAT", allowed: TrackFormat.allCases.map(\.rawValue),
                help: "Format of the track"),
            OptionDefinition("json", help: "Print the summary as JSON, for programs"),
        ],
        examples: [
            "homing track --since yesterday": "a summary",
            "homing track --since 7d > week.gpx": "a week as GPX",
        ],
        exitCodes: .ofDaemon + [
            0: "written",
            1: "there is no track log; the journal says why",
            64: "an invalid time",
        ]
    ).runs(track)

    private static func track(_ command: ParsedCommand) throws(ControlError) {
        let now = Double(time(nil))
        let since = try moment("since", command, now) ?? -1e12
        let until = try moment("until", command, now) ?? 1e12
        guard since <= until else {
            throw ControlError(.usage, "--since is later than --until")
        }
        let segments = Track.segments(of: try points(from: since, to: until))
        let report = TrackReport(segments)
        let format = command.value("format").flatMap { TrackFormat(rawValue: $0) }
        if command.has("json") {
            Terminal.print(json: ReportJSON.text(report))
        } else if format == nil, Terminal.isOutputInteractive {
            Terminal.print(report.text)
        } else {
            Terminal.printFile((format ?? .gpx).text(segments))
            if Terminal.isErrorInteractive { Terminal.error(report.text) }
        }
    }

    private static func moment(
        _ option: String, _ command: ParsedCommand, _ now: Double
    ) throws(ControlError) -> Double? {
        guard let text = command.value(option) else { return nil }
        guard let moment = TimeArgument.parse(text, now: now) else {
            throw ControlError(
                .usage, "--\(option): invalid time \"\(text)\"", hint: "use \(TimeArgument.forms)")
        }
        return moment
    }

    /// Page by page: one answer of the daemon's is bounded.
    private static func points(
        from since: Double, to until: Double
    ) throws(ControlError) -> [Fix] {
        let client = try ControlClient()
        var (points, next): ([Fix], TrackCursor?) = ([], nil)
        repeat {
            let page = ControlCommand.readTrack(since: since, until: until, after: next)
            let answer = try client.call(page, returning: TrackPage.self)
            points += answer.trackPoints
            next = answer.next
        } while next != nil
        return points
    }
}
