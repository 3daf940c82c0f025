import HomingCommandLine
import HomingControl
import HomingDoctor
internal import HomingHealth
import HomingTerminal

extension Command {
    /// `homing doctor`: what is wrong?
    static let doctor = CommandDefinition(
        "doctor", summary: "Find problems, and say what to do",
        discussion: """
            Checks files, disk, daemon, D-Bus, network, receiver and each endpoint of Home \
            Assistant. Changes nothing. Also works while the daemon is not running. If the \
            system's daemon runs, homing doctor checks its configuration and folder: run homing \
            doctor with sudo then, because other users may read little there.
            """,
        options: [
            Terminal.json,
            OptionDefinition(
                "redact",
                help: "Leave out hosts, networks, locations and names, for a bug report"),
        ],
        examples: [
            "sudo homing doctor": "for people",
            "sudo homing doctor --redact": "to paste into a bug report",
        ],
        exitCodes: [
            0: "nothing is wrong",
            1: "something is wrong",
            64: "there is no such home",
            77: "not permitted for this user",
        ]
    ).runs(examine)

    private static func examine(_ command: ParsedCommand) throws(ControlError) -> ExitCode {
        var daemon: ControlClient?
        var hang: ControlError?
        do throws(ControlError) { daemon = try ControlClient.ifRunning() } catch {
            guard error.exitCode == .unavailable else { throw error }
            hang = error
        }
        try mustKnowHome(daemon)
        var examination = Doctor(
            configuration: command.value("config"), daemon: daemon, hang: hang,
            daemons: MachineDaemons.present
        ).examine()
        if command.has("redact") { examination = examination.redacted() }
        Terminal.print(
            command.has("json") ? examination.json : examination.text(typed: Terminal.typed),
            terminator: command.has("json") ? "\n" : "")
        return examination.isWell ? .done : .failure
    }

    /// Throws if no home has the name that is given. A home that cannot be opened is examined.
    private static func mustKnowHome(_ daemon: ControlClient?) throws(ControlError) {
        if let daemon, ControlClient.namedHome != nil {
            let answer = Result { () throws(ControlError) in
                try daemon.call(.status, returning: StatusReport.self)
            }
            // The examination reports other errors.
            if case .failure(let error) = answer, error.exitCode == .usage { throw error }
        } else {
            try OfflineState.mustKnowHome()
        }
    }
}
