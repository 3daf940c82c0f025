import Glibc
import HomingBase
import HomingCommandLine
import HomingRelay
import HomingRuntime
import HomingSocket
import HomingTerminal

/// Exit codes of the commands that ask the running relay.
extension ExitCodes {
    static let ofRelay: ExitCodes = [
        69: "the relay is not running, or does not answer",
        77: "not permitted for this user",
    ]
}

extension Command {
    /// `homing-relay status`: the state of the relay.
    static let status = CommandDefinition(
        "status", summary: "Show machines, waiting messages and what is wrong",
        options: [
            Terminal.json,
            OptionDefinition("watch", short: "w", help: "Show it again each second"),
        ],
        examples: ["homing-relay status --watch": "live"],
        exitCodes: .ofRelay + [0: "shown"]
    ).runs(status)

    private static func status(_ command: ParsedCommand) throws(LineError) {
        while true {
            let status = try RelaySocket.call(
                .status, for: command, returning: RelayStatus.self)
            if command.has("watch"), command.has("json") {
                Terminal.print(json: ReportJSON.text(status, pretty: false))
            } else if command.has("watch"), Terminal.isOutputInteractive {
                Terminal.redraw(status.text)
            } else {
                Terminal.show(status, command, text: status.text, terminator: "")
            }
            guard command.has("watch"), !Terminal.isOutputLost else { return }
            sleep(1)
        }
    }
}

extension RelayStatus {
    /// The problems and their remedies, a sentence each.
    var problems: [String] {
        var problems: [String] = []
        if let storeFailure {
            problems.append("The store does not answer: \(storeFailure).")
        } else if isStoreFailing {
            problems.append(
                "The store fails. Read the reason: sudo journalctl -u homing-relay"
            )
        }
        if isCertificateFailing {
            problems.append(
                "The certificate was not replaced: its files cannot be used; the journal has the"
                    + " reason.")
        }
        if let end = certificateExpires, end - SystemClock.now().unixTime < Self.renewalTime {
            problems.append(
                "The certificate ends at \(UTCTime(end).text): have it renewed, or see why it was not."
            )
        }
        if hasUnlistedProxy {
            problems.append(
                "A proxy is not trusted, so all its clients count as one. Add its address to"
                    + " trusted_proxies under [listen].")
        }
        if let front, let problem = front.problem {
            problems.append("The far relay takes no messages, which wait here: \(problem).")
        }
        if let front, front.refused > 0 {
            let machines = counted(front.refused, "machine")
            problems.append(
                "The far relay refuses the tokens of \(machines), which must join again.")
        }
        if haveDevicesOneAddress, !hasUnlistedProxy {
            problems.append(
                "Nearly all machines come from one address, so that they count as one client. If that"
                    + " is a proxy, add it to trusted_proxies, and have it set X-Forwarded-For.")
        }
        return problems
    }

    /// The engine, or that the store is a file.
    private var storeText: String {
        guard let store else { return "not known" }
        guard let engine = store.engine else { return "a file" }
        return
            "\(engine.version), \(listed(engine.nodes, "and")), answers in \(engine.milliseconds) ms"
    }

    /// Seconds before its end at which a certificate should have been renewed.
    private static let renewalTime = 7 * 86_400.0

    /// A line for each fact, for people.
    var text: String {
        let kibibytes = ((store?.bytes ?? 0) + 1023) / 1024
        let waiting = store.map { store in
            let messages = store.messages == 0 ? "no messages" : counted(store.messages, "message")
            return "\(messages); the store uses \(kibibytes) KiB"
        }
        let rows: [(String, String)] = [
            ("Relay", "\(version), up \(TimeSpan.text(uptime))"),
            ("Listeners", listed(addresses + secureAddresses.map { "\($0) with TLS" }, "and")),
            ("Address", publicURL ?? "the address by which each machine has joined"),
            ("Joining", join),
            ("Maximum", maximum == 0 ? "none" : "\(counted(maximum, "notification")) a day"),
            (
                "Machines",
                "\(store.map { "\($0.mailboxes)" } ?? "?"), connected \(connections.devices), joined \(joined) since the start"
            ),
            ("Waiting", waiting ?? "not known"),
            ("Store", storeText),
            (
                "Posts",
                "\(posts.accepted) taken, \(posts.limited) over the maximum, \(posts.refused) refused,"
                    + " \(posts.failed) not stored, \(posts.late) late"
            ),
            ("Sent", counted(sent, "message")),
        ]
        let lines = (rows + (front?.rows ?? [])).map { $0.0.padded(to: 10) + $0.1 }
        return (lines + problems.map { "! \($0)" }).joined(separator: "\n") + "\n"
    }
}

extension RelayStatus.Front {
    /// A row for each fact, for people.
    fileprivate var rows: [(String, String)] {
        let present = forwarded + discarded + refused > 0 ? "answers" : "not asked yet"
        let state = awayFor.map { "away for \(TimeSpan.text($0))" } ?? present
        return [
            ("Far relay", "\(farURL), \(state)"),
            ("Front", "fingerprint \(fingerprint)"),
            (
                "Forwarded",
                "\(counted(forwarded, "message")), \(discarded) discarded,"
                    + " \(counted(held, "machine")) without a token or at a limit"
            ),
        ]
    }
}

/// A number of things: `1 message`, `2 messages`.
private func counted(_ number: Int, _ thing: String) -> String {
    "\(number) \(thing)\(number == 1 ? "" : "s")"
}

extension String {
    /// The text with blanks behind it, up to that width.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
