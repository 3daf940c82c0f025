import HomingCommandLine
import HomingControl
import HomingRuntime
import HomingTerminal

extension Command {
    /// `homing event`: an event for Home Assistant's bus.
    static let event = CommandDefinition(
        "event",
        summary: "Fire an event in Home Assistant, now or when Home Assistant can be reached",
        discussion: """
            The event waits in the queue until Home Assistant has confirmed the event, over \
            restarts and days without a network. The event is delivered at least once: a repeat has \
            the same homing_id. The data also has homing_fired_at (seconds since 1970) and this \
            machine's device_id.

            \(DataInput.explanation)
            """,
        options: [
            DataInput.option,
            OptionDefinition("wait", help: "Wait until Home Assistant confirms the event"),
            OptionDefinition(
                "expires", value: "SECONDS", help: "Drop the event if it is not delivered by then"),
            Terminal.json,
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
            64: "a type that is too long, or invalid data",
            75: "with --wait: the event expired, or the daemon ended first",
            76: "with --wait: Home Assistant refused the event",
        ]
    ).runs(fire)

    private static func fire(_ command: ParsedCommand) throws(ControlError) -> ExitCode {
        let waits = command.has("wait")
        let request = ControlCommand.sendEvent(
            type: command.arguments[0],
            data: try DataInput.read(command, words: command.arguments.dropFirst()),
            wait: waits, expires: try command.positiveNumber("expires"))
        let result = try ControlClient().call(request, returning: SendEventResult.self)
        let text = text(result, mayExpire: command.value("expires") != nil)
        Terminal.show(result, command, text: text)
        return waits && result.outcome == .queued ? .temporary : .done
    }

    private static func text(_ result: SendEventResult, mayExpire: Bool) -> String {
        switch result.outcome {
        case .delivered: "Delivered."
        case .queued:
            "Queued: Homing sends the event when Home Assistant can be reached"
                + (mayExpire ? ", unless the event expires." : ".")
        }
    }

    /// `homing call`: a service of Home Assistant.
    static let call = CommandDefinition(
        "call", summary: "Call a service of Home Assistant, now and once",
        discussion: """
            The call is never queued: a light must not go on hours later. It is sent once, and \
            answered when the service has finished, within a minute. If no answer comes, \
            the outcome is not known, and the call is not sent again. The call \
            runs with the rights of the user who registered this machine.

            Data that a service returns does not come back, and a service that must return data \
            is refused: Home Assistant's webhook has no answer for it.

            \(DataInput.explanation)
            """,
        options: [DataInput.option, Terminal.json],
        arguments: [
            ArgumentDefinition("DOMAIN.SERVICE", help: "The service: light.turn_on"),
            DataInput.argument,
        ],
        examples: [
            "homing call light.turn_on entity_id=light.kitchen brightness=120": "two fields",
            #"homing call notify.notify --data '{"message": "All is well"}'"#: "the data as JSON",
        ],
        exitCodes: .ofHomeAssistant + .unknown + [
            0: "done",
            64: "an invalid service name, or invalid data",
            76: "the service failed: unknown, wrong data, or not allowed",
        ]
    ).runs(callService)

    private static func callService(_ command: ParsedCommand) throws(ControlError) {
        let name = command.arguments[0]
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts.allSatisfy({ $0.isMade(of: slug) }) else {
            throw ControlError(
                .usage, "invalid service name \"\(name)\"", hint: "name it like light.turn_on")
        }
        let request = ControlCommand.callService(
            domain: parts[0], service: parts[1],
            data: try DataInput.read(command, words: command.arguments.dropFirst()))
        _ = try ControlClient().call(request, returning: Done.self)
        Terminal.show(["outcome": "done"], command, text: "Done.")
    }

    private static let slug = ASCII.smallLetters + ASCII.digits + "_"

    /// `homing tag`: as if a tag had been scanned here.
    static let tag = CommandDefinition(
        "tag", summary: "Tell Home Assistant that a tag was scanned here",
        options: [Terminal.json],
        arguments: [ArgumentDefinition("ID", help: "The tag's id")],
        examples: ["homing tag 04:A2:FE:12": "fires tag_scanned there"],
        exitCodes: .ofHomeAssistant + .unknown + [
            0: "delivered",
            64: "an invalid id",
            76: "Home Assistant refused the tag",
        ]
    ).runs { (command: ParsedCommand) throws(ControlError) -> Void in
        _ = try ControlClient().call(
            .scanTag(tag: command.arguments[0]), returning: Done.self)
        Terminal.show(["outcome": "done"], command, text: "Delivered.")
    }

    /// `homing say`: Home Assistant's conversation.
    static let say = CommandDefinition(
        "say", summary: "Say something to Home Assistant, and print what it answers",
        discussion: """
            Texts within five minutes belong to the same conversation, so that an \
            assistant that asks back can be answered. The text is sent once. If no answer comes, \
            the outcome is not known.
            """,
        options: [
            OptionDefinition("new", help: "Begin another conversation"),
            OptionDefinition("language", value: "TAG", help: "The language of the text: en, de-CH"),
            Terminal.json,
        ],
        arguments: [ArgumentDefinition("TEXT", .oneOrMore, help: "What to say; words are joined")],
        examples: ["homing say turn on the lights": "in its own language"],
        exitCodes: .ofHomeAssistant + .unknown + [
            0: "understood",
            64: "there is nothing to say",
            76: "not understood, or failed; the answer says which",
        ]
    ).runs(converse)

    private static func converse(_ command: ParsedCommand) throws(ControlError) -> ExitCode {
        let request = ControlCommand.say(
            text: command.arguments.joined(separator: " "), language: command.value("language"),
            isNew: command.has("new"))
        let result = try ControlClient().call(request, returning: SayResult.self)
        Terminal.show(result, command, text: result.speech)
        return result.responseType == "error" ? .refused : .done
    }
}
