import HomingBase
import HomingCommandLine
import HomingRelay
import HomingSocket
import HomingTerminal

extension Command {
    /// `homing-relay invite`: make a code.
    static let invite = CommandDefinition(
        "invite", summary: "Make a code by which a machine joins",
        options: [
            Terminal.json,
            OptionDefinition("uses", value: "NUMBER", help: "Number of machines; default 1"),
            OptionDefinition("hours", value: "HOURS", help: "Life; default [join] code_life"),
        ],
        examples: [
            "homing-relay invite": "for one machine, today",
            "homing-relay invite --uses 30 --hours 168": "for a club, this week",
        ],
        exitCodes: .ofRelay + [0: "made", 64: "a number is out of range"]
    ).runs { (command: ParsedCommand) throws(LineError) -> Void in
        let uses = try command.whole("uses", 1...1000) ?? 1
        let hours = try command.whole("hours", 1...720)
        let life = hours.map { Double($0 * 3600) }
        let invitation = try RelaySocket.call(
            .invite(life: life, uses: uses), for: command, returning: InvitationReport.self)
        Terminal.show(invitation, command, text: invitation.text)
    }

    /// `homing-relay mailbox list`: which devices there are.
    static let listMailboxes = CommandDefinition(
        "mailbox list", summary: "List the machines' mailboxes",
        options: [Terminal.json],
        exitCodes: .ofRelay + [0: "listed"]
    ).runs { (command: ParsedCommand) throws(LineError) -> Void in
        var report = MailboxList(mailboxes: [], next: nil)
        repeat {
            let page = try RelaySocket.call(
                .mailboxes(after: report.next), for: command, returning: MailboxList.self)
            report.mailboxes += page.mailboxes
            report.next = page.next
        } while report.next != nil
        Terminal.show(report, command, text: report.text, terminator: "")
    }

    /// `homing-relay mailbox forget`: delete a mailbox.
    static let forgetMailbox = CommandDefinition(
        "mailbox forget", summary: "Delete the messages in a mailbox, and its count of the day",
        discussion: """
            The machine's token stays good. A mailbox of a machine that stays away leaves the list \
            after 60 days.
            """,
        options: [OptionDefinition("yes", short: "y", help: "Do not ask")],
        arguments: [name],
        exitCodes: .ofRelay + [
            0: "deleted", 1: "the answer to the question was no", 66: "there is no such mailbox",
        ]
    ).runs { (command: ParsedCommand) throws(LineError) -> ExitCode in
        let name = command.arguments[0]
        guard
            try Terminal.agrees(
                command, to: "Delete the messages that wait in the mailbox \(name)?")
        else { return .failure }
        _ = try RelaySocket.call(
            .forget(name), for: command, returning: MailboxReport.Named.self)
        Terminal.print(
            "The messages and the day's count of the mailbox \(name) are deleted. Its machine stays admitted."
        )
        return .done
    }

    /// `homing-relay mailbox block`: refuse a device.
    static let blockMailbox = CommandDefinition(
        "mailbox block", summary: "Refuse a machine, and revoke its tokens",
        arguments: [name],
        exitCodes: .ofRelay + [0: "blocked", 66: "there is no such mailbox"]
    ).runs { (command: ParsedCommand) throws(LineError) -> Void in
        let name = command.arguments[0]
        _ = try RelaySocket.call(
            .block(name), for: command, returning: MailboxReport.Named.self)
        Terminal.print("The mailbox \(name) is blocked.")
    }

    /// `homing-relay mailbox unblock`: end the block of a device.
    static let unblockMailbox = CommandDefinition(
        "mailbox unblock", summary: "End the block of a machine",
        arguments: [name],
        exitCodes: .ofRelay + [0: "unblocked", 66: "there is no such mailbox"]
    ).runs { (command: ParsedCommand) throws(LineError) -> Void in
        let name = command.arguments[0]
        _ = try RelaySocket.call(
            .unblock(name), for: command, returning: MailboxReport.Named.self)
        Terminal.print(
            """
            The mailbox \(name) is unblocked. The machine gets a new token at its next check. To get the token at once, \
            type on the machine: sudo homing relay test. From a front, the machine gets the token within a day, at home. \
            Until then Home Assistant's notifications for the machine are refused.
            """)
    }

    /// `homing-relay rotate-key`: the next key.
    static let rotateKey = CommandDefinition(
        "rotate-key", summary: "Make a new signing key, keep the present key, drop an older key",
        discussion: """
            Machines get a new token when they connect next. After a second rotation, a machine that \
            has not connected in between must join again: the command asks before it does that.
            """,
        options: [OptionDefinition("yes", short: "y", help: "Do not ask")],
        exitCodes: .ofRelay + [
            0: "made",
            1: "the question was answered by no, or the key file cannot be replaced",
        ]
    ).runs(rotateKey)

    private static func rotateKey(_ command: ParsedCommand) throws(LineError) -> ExitCode {
        let status = try RelaySocket.call(
            .status, for: command, returning: RelayStatus.self)
        if status.keys.count > 1 {
            let dropped = status.keys[1]
            guard
                try Terminal.agrees(
                    command,
                    to:
                        "Drop key \(dropped)? A machine that has not connected since the last rotation"
                        + " must join again.")
            else { return .failure }
        }
        let report = try RelaySocket.call(
            .rotateKeys, for: command, returning: RotationReport.self)
        Terminal.print("The relay has a new key. Put a copy of \(report.path) into your backup.")
        return .done
    }

    private static let name = ArgumentDefinition(
        "NAME", help: "The mailbox, as homing-relay mailbox list names it")
}

extension InvitationReport {
    fileprivate var text: String {
        let machines = uses == 1 ? "one machine" : "\(uses) machines"
        return """
            Code: \(code)
            Good for \(machines) until \(UTCTime(expires).text).
            On the machine: homing relay join \(publicURL ?? "URL") \(code)\(more)
            """
    }

    /// The rest of the command where the relay is a front.
    private var more: String {
        guard let fingerprint else { return "" }
        return " --fingerprint \(fingerprint)\n"
            + "If the far relay requires a code, add: --far-code CODE"
    }
}

extension MailboxList {
    fileprivate var text: String {
        guard !mailboxes.isEmpty else {
            return "No machine has joined yet. See: homing-relay invite\n"
        }
        let head = "NAME      WAITING    KiB  USED                  STATE"
        let lines = mailboxes.map { mailbox in
            let state =
                mailbox.isBlocked
                ? "blocked"
                : mailbox.isConnected.map { $0 ? "connected" : "away" } ?? "forwarded"
            let size = (mailbox.bytes + 1023) / 1024
            return mailbox.label.padded(to: 10) + "\(mailbox.waiting)".right(7)
                + "\(size)".right(7) + "  " + UTCTime(mailbox.used).text.padded(to: 22) + state
        }
        return ([head] + lines).joined(separator: "\n") + "\n"
    }
}

extension String {
    /// The text with blanks before it, up to that width.
    fileprivate func right(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}

extension ParsedCommand {
    /// An option's value as a whole number of that range; `nil` if the option is not given.
    fileprivate func whole(
        _ option: String, _ range: ClosedRange<Int>
    ) throws(LineError) -> Int? {
        guard let text = value(option) else { return nil }
        guard let number = Int(text), range ~= number else {
            throw LineError(
                .usage,
                "--\(option) takes a whole number from \(range.lowerBound) to \(range.upperBound),"
                    + " not \(quoted(text))")
        }
        return number
    }
}
