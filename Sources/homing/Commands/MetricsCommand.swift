import Glibc
import HomingCommandLine
import HomingControl
import HomingReports
import HomingRuntime
import HomingTerminal

extension Command {
    /// `homing metrics`: the status for Prometheus.
    static let metrics = CommandDefinition(
        "metrics", summary: "Print metrics for Prometheus, or write them for node_exporter",
        discussion: """
            The metrics are those of all homes, or of the home that --home names. They hold no \
            location, network or address. If no daemon answers, the text is homing_up 0 alone. \
            That is no failure: monitoring then knows that no daemon runs.

            The file is for the textfile collector of node_exporter. Its name must end in .prom \
            there. The timer homing-metrics writes it each minute, once it is enabled: \
            sudo systemctl enable --now homing-metrics.timer
            """,
        options: [
            OptionDefinition(
                "output", short: "o", value: "FILE",
                help: "Replace this file as a whole; everybody may read it")
        ],
        examples: [
            "homing metrics": "prints them",
            "homing metrics --output /var/lib/prometheus/node-exporter/homing.prom":
                "what the timer does",
        ],
        exitCodes: [
            0: "printed or written, also where no daemon answers",
            1: "the file cannot be written",
            64: "there is no such home",
            77: "not all of the status is for this user, or the folder is another user's",
        ]
    ).runs(metrics)

    private static func metrics(_ command: ParsedCommand) throws(ControlError) {
        let output = command.value("output")
        guard output != "" else { throw ControlError(.usage, "--output names no file") }
        let text = MetricsText(report: try report(), now: Double(time(nil))).text
        if let output { try write(text, to: output) } else { Terminal.print(text, terminator: "") }
    }

    /// The whole status; `nil` where no daemon answers.
    private static func report() throws(ControlError) -> StatusReport? {
        let report: StatusReport
        do throws(ControlError) {
            report = try ControlClient().call(.status, returning: StatusReport.self)
        } catch {
            if error.exitCode == .unavailable { return nil }
            throw error
        }
        guard !report.restricted else {
            throw ControlError(
                .notPermitted, "not all of the status is for this user",
                hint:
                    "use sudo, or join the group: sudo usermod -aG homing $USER, then log in again")
        }
        return report
    }

    private static func write(_ text: String, to path: String) throws(ControlError) {
        var status = stat()
        if lstat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
            throw ControlError(
                .usage, "\(path) is no regular file, and would be replaced",
                hint: "name another file; standard output needs no --output")
        }
        // The collector is another user.
        umask(0o022)
        do throws(SystemError) {
            try AtomicFile.write(Array(text.utf8), to: path, mode: 0o644)
        } catch {
            let isForbidden = error.number == EACCES || error.number == EPERM
            throw ControlError(
                isForbidden ? .notPermitted : .failure, "\(error)", hint: hint(error.number))
        }
    }

    /// Returns advice about a file that cannot be written.
    private static func hint(_ number: Int32) -> String {
        switch number {
        case ENOENT, ENOTDIR: "make the folder, or name a file in another one"
        case EACCES, EPERM: "run this as root, or name a file in a folder of this user"
        case EISDIR: "that is a folder: name a file in it"
        case EROFS: "a service may write only what its ReadWritePaths name"
        default: "name a file in another folder"
        }
    }
}
