import HomingCommandLine
import HomingControl

/// `homing event`: an event for Home Assistant's bus.
enum EventCommand {
    static let command = CommandDefinition(
        "event", summary: "Fire an event in Home Assistant, now or when there is a way",
        discussion: """
            The event waits in the queue until Home Assistant has proved that it has it, over \
            restarts and days without a network. It is delivered at least once: its data has a \
            homing_id that is the same in a repeat, homing_fired_at, seconds since 1970, and \
            this machine's device_id.

            \(DataInput.explanation)
            """,
        options: [
            DataInput.option,
            OptionDefinition("wait", help: "Wait until Home Assistant has it"),
            OptionDefinition(
                "expires", value: "SECONDS", help: "Drop it if it is not delivered by then"),
            Output.json,
        ],
        arguments: [
            ArgumentDefinition("TYPE", help: "The event's type, up to 64 characters"),
            DataInput.argument,
        ],
        examples: [
            "homing event van_alarm door=rear battery=11.8": "two fields",
            "homing event open_gate --wait --expires 60": "in the next minute or never",
        ],
        exitCodes: .ofQueue + [
            0: "queued; with --wait: delivered",
            64: "a type too long, or data that is none",
            75: "with --wait: it expired, or the daemon ended first",
            76: "with --wait: Home Assistant refused it",
        ]
    ).runs(run)

    private static func run(_ command: ParsedCommand) throws(ControlError) -> ExitCode {
        let waits = command.has("wait")
        let request = ControlCommand.sendEvent(
            type: command.arguments[0],
            data: try DataInput.read(command, words: command.arguments.dropFirst()),
            wait: waits, expires: try command.positiveNumber("expires"))
        let result = try ControlClient().call(request, returning: SendEventResult.self)
        Output.show(result, command, text: text(result))
        return waits && result.outcome == .queued ? .temporary : .done
    }

    private static func text(_ result: SendEventResult) -> String {
        switch result.outcome {
        case .delivered: "Home Assistant has it (\(result.homingID))."
        case .queued: "Queued (\(result.homingID))."
        }
    }
}
