import Glibc
import HomingBase
import HomingCommandLine
import HomingControl
import HomingHealth
import HomingReports
import HomingRuntime
import HomingTerminal

extension Command {
    /// `homing relay`: shows the relay of a home.
    static let relay = relayStatus("relay", "Show what the relay for notifications is doing")
    /// `homing relay status`: does as `homing relay`.
    static let relayStatus = relayStatus("relay status", "The same as homing relay")

    private static func relayStatus(_ name: String, _ summary: String) -> Command {
        CommandDefinition(
            name, summary: summary,
            discussion: """
                A relay is a server, yours or another person's. While this machine sleeps or is \
                away, Home Assistant sends notifications to the relay, which delivers them later. \
                [push] relay says when this machine is connected to the relay.
                """,
            options: [Terminal.json],
            examples: ["homing \(name)": "in words"],
            exitCodes: .ofQueue + [0: "shown", 76: "no relay was joined"]
        ).runs { (command: ParsedCommand) throws(ControlError) -> Void in
            let report = try ControlClient().call(.status, returning: StatusReport.self)
            guard !report.restricted else { throw .relayNotShown }
            guard report.homes.count == 1, let home = report.homes.first else {
                throw .severalHomes(report.homes.map(\.name))
            }
            guard home.registration != nil else {
                throw ControlError(
                    .notRegistered, Warnable.notRegistered.text, hint: Warnable.notRegistered.hint)
            }
            guard let relay = home.push?.relay else { throw .noRelay }
            let lines = relay.allLines(at: SystemClock.now().unixTime).map { SafeText.line($0) }
            Terminal.show(relay, command, text: lines.joined(separator: "\n"))
        }
    }

    /// `homing relay join`: have a relay take notifications for this machine.
    static let joinRelay = CommandDefinition(
        "relay join", summary: "Join a relay, which takes notifications for this machine",
        discussion: """
            Makes a key pair, gets a token from the relay, and announces both to Home Assistant. \
            The relay's operator gives you the address and a code, which works once. With - as \
            the code, the code is read from standard input, where others cannot see it. Joined \
            again, the machine keeps its mailbox, unless --new-key is given. Without an address, \
            the relay stays the same. A front is a relay at home: the front forwards encrypted \
            messages to another relay, and the machine joins both. Compare the front's \
            fingerprint with homing-relay status there, or give it by --fingerprint. A failed \
            join can be repeated with the same codes, until the daemon ends.
            """,
        options: [
            OptionDefinition(
                "fingerprint", value: "F",
                help: "Join only the front whose key has this fingerprint"),
            OptionDefinition(
                "far-code", value: "CODE", help: "For the relay behind a front; - is stdin"),
            OptionDefinition("new-key", help: "Make another key pair, and so another mailbox"),
            OptionDefinition(
                "insecure-http", help: "Send code and token unencrypted to another machine"),
            Terminal.json,
        ],
        arguments: [
            ArgumentDefinition("URL", .optional, help: "The relay's address"),
            ArgumentDefinition("CODE", .optional, help: "Of an invitation; - is stdin"),
        ],
        examples: [
            "homing relay join https://relay.example 4XQ7…": "with a code",
            "homing relay join https://relay.example - < code": "with a code that nobody sees",
            "homing relay join https://home.example 4XQ7… --far-code 9KDM…":
                "a front, and the relay behind it",
            "homing relay join --new-key": "at the same relay, with another mailbox",
        ],
        exitCodes: .ofQueue + [
            0: "joined; Home Assistant knows, or will know later",
            64: "no address, or plain HTTP that nobody agreed to",
            69: "the relay, or the relay behind a front, is not reached",
            75: "another registration is running",
            76: "no relay answers, the relay refuses the code, or another front answers",
            78: "[push] url names another relay",
        ]
    ).runs(join)

    private static func join(_ command: ParsedCommand) throws(ControlError) {
        let words = command.arguments
        var params = ControlCommand.JoinRelay(
            url: words.first, code: try code(words.dropFirst().first),
            newKey: command.has("new-key"), overPlainHTTP: command.has("insecure-http"),
            fingerprint: command.value("fingerprint"),
            farCode: try code(command.value("far-code"), of: "Code of the relay behind the front"))
        let client = try ControlClient()
        var result = try client.call(.joinRelay(params), returning: JoinRelayResult.self)
        if result.isUnconfirmed {
            try confirmPlainHTTP(to: result.host)
            params.overPlainHTTP = true
            result = try client.call(.joinRelay(params), returning: JoinRelayResult.self)
        }
        Terminal.show(result, command, text: Terminal.typed(result.text))
    }

    private static func code(
        _ word: String?, of label: String = "Code"
    ) throws(ControlError) -> String? {
        guard word == "-" else { return word }
        let line =
            Terminal.isInputInteractive
            ? LinePrompt.readSecret("\(label) (not shown): ", farewell: "Nothing was changed.")
            : readLine()
        let code = (line ?? "").filter { !$0.isWhitespace }
        guard !code.isEmpty else {
            throw ControlError(.usage, "no code given", hint: "give the code by standard input")
        }
        return code
    }

    /// Returns if a person says yes.
    private static func confirmPlainHTTP(to host: String) throws(ControlError) {
        let warning =
            "code and token would go to \(host) over plain HTTP. Others on the network could send to "
            + "this machine. A person who changes the answer can read what others send, unless "
            + "--fingerprint names the key of a front"
        guard Terminal.isInputInteractive, Terminal.isErrorInteractive else {
            throw ControlError(.usage, warning, hint: "use https, or add --insecure-http")
        }
        try Terminal.mustContinue(despite: warning, orElse: "nothing was changed")
    }

    /// `homing relay leave`: do without it.
    static let leaveRelay = CommandDefinition(
        "relay leave", summary: "Leave the relay, in Home Assistant too",
        discussion: """
            The relay revokes the token, if the relay can be reached, and Home Assistant learns that \
            there is no relay. Notifications that wait at the relay are lost.
            """,
        options: [OptionDefinition("yes", short: "y", help: "Do not ask"), Terminal.json],
        examples: ["homing relay leave": "asks before"],
        exitCodes: .ofQueue + [
            0: "left",
            1: "the question was answered by no",
            64: "not a terminal, and --yes is missing",
            75: "another registration is running",
            76: "no relay was joined",
        ]
    ).runs { (command: ParsedCommand) throws(ControlError) -> ExitCode in
        let question = "Leave the relay? Notifications that wait at the relay are lost."
        guard try Terminal.agrees(command, to: question) else { return .failure }
        let result = try ControlClient().call(.leaveRelay, returning: LeaveRelayResult.self)
        Terminal.show(result, command, text: Terminal.typed(result.text))
        return .done
    }

    /// `homing relay test`: a notification along the whole route, timed.
    static let testRelay = CommandDefinition(
        "relay test", summary: "Send a message to this machine by the relay, and time it",
        discussion: """
            Posts a test notification to the relay, as Home Assistant does. The command then waits \
            until the notification arrives on this machine's own connection. The notification counts \
            against the daily limit, and is shown only with --show. If the machine joined a front, \
            the command posts to the front, which can be reached at home only. Home Assistant itself \
            takes no part. To test Home Assistant too, send a notification from Home Assistant. \
            homing doctor examines the relay without a notification.
            """,
        options: [OptionDefinition("show", help: "Show the notification, too"), Terminal.json],
        examples: ["homing relay test": "each step, with its time"],
        exitCodes: .ofQueue + [
            0: "the message came back",
            69: "the message did not come back; the last line says where it stopped",
            75: "another test is running",
            76: "no relay was joined",
        ]
    ).runs { (command: ParsedCommand) throws(ControlError) -> ExitCode in
        let result = try ControlClient().call(
            .testRelay(isShown: command.has("show")), returning: TestRelayResult.self)
        Terminal.show(result, command, text: Terminal.typed(result.text))
        guard let problem = result.problem else { return .done }
        throw ControlError(.unavailable, problem, hint: result.hint)
    }
}

extension ControlError {
    fileprivate static let noRelay = ControlError(
        .refused, "this machine has joined no relay", hint: "run: homing relay join URL CODE")
    fileprivate static let relayNotShown = ControlError(
        .notPermitted, "the relay is shown to root and the group homing alone",
        hint: "use sudo, or join the group: sudo usermod -aG homing $USER, then log in again")
}
