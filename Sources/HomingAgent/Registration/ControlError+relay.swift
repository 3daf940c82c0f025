internal import HomingControl
internal import HomingPush
internal import HomingRelayProtocol

/// The reasons why a relay cannot be joined, left or tested.
extension ControlError {
    static let relayWouldBeRead = ControlError(
        .refused,
        "others could read the message that announces the relay: the registration has no "
            + "secret, or the secret came over plain HTTP",
        hint: "run: homing registration encrypt, or: homing register --again")
    static let noRelay = ControlError(
        .refused, "this machine has joined no relay", hint: "run: homing relay join URL CODE")
    static let noRelayAddress = ControlError(
        .usage, "no address given, and no relay was joined before",
        hint: "run: homing relay join https://relay.example CODE")
    static let badRelayAddress = ControlError(
        .usage,
        "the address is not a relay's: allowed is https://HOST, with :PORT and /PATH if need be",
        hint: "ask who runs the relay for the address, which has no user, no \"?\" and no \"#\"")
    static let testOfAnother = ControlError(
        .refused,
        "[push] url names a relay that is not Homing's: its notifications come back by "
            + "homing notifications receive, and cannot be waited for")
    static let testUnderWay = ControlError(
        .temporary, "another test of the relay is running", hint: "wait a moment")

    /// Home Assistant would post over plain HTTP, or to itself, and nobody agreed to that.
    static func postsElsewhere(to host: String) -> ControlError {
        ControlError(
            .refused,
            "the relay has Home Assistant post to \(host), over plain HTTP or to Home Assistant's own "
                + "machine: others could read each notification, or it could get where it should not",
            hint: "set public_url in relay.conf to an https address, or join with another code and "
                + "--insecure-http")
    }

    /// `[push] url` names another relay.
    static func anotherRelay(at place: String?) -> ControlError {
        let key = place.map { "push.url (\($0))" } ?? "[push] url"
        return ControlError(
            .configuration, "\(key) names another relay",
            hint:
                "take url and token_file out of the configuration. Then run: systemctl reload homing. Then join again"
        )
    }

    /// An answer that is not for this machine, or is no answer of a relay.
    static func answerOfAnother(at host: String, _ role: RelayRole) -> ControlError {
        ControlError(.notRelay("its answer is not for this machine"), at: host, of: role)
    }

    // MARK: Fronts

    /// The relay is a front now: who joins it again compares its key.
    static let isFrontNow = ControlError(
        .refused, "the relay is a front now, which forwards to another relay",
        hint:
            "run: homing relay join URL CODE --fingerprint F, with the key that homing-relay status shows"
    )

    static func noFront(at host: String) -> ControlError {
        ControlError(
            .refused, "the relay at \(host) is no front, and has neither fingerprint nor far relay",
            hint:
                "check the address. If the address is right, leave out --fingerprint and --far-code. "
                + "Who runs the relay can then read what Home Assistant sends")
    }

    static let noFingerprint = ControlError(
        .usage, "a fingerprint has 32 hexadecimal characters",
        hint: "copy it from homing-relay status on the front's machine")

    /// The front names a far relay that others on the way could read, or a service of this machine.
    static func farElsewhere(_ host: String) -> ControlError {
        ControlError(
            .refused, "the front names the far relay \(host), over plain HTTP or on this machine",
            hint: "set url under [forward] in the front's relay.conf to an https address")
    }

    /// - Parameter fingerprint: the one that answers.
    static func otherFront(_ fingerprint: String) -> ControlError {
        ControlError(
            .refused, "the front that answers has another fingerprint: \(fingerprint)",
            hint:
                "compare the fingerprint with homing-relay status on the front's machine. If they differ, "
                + "somebody is on the network, or the address belongs to another machine")
    }

    static func frontBehindFront(at host: String) -> ControlError {
        ControlError(
            .refused, "the front forwards to \(host), which is a front too",
            hint: "set url under [forward] in the front's relay.conf to a relay with mailboxes")
    }

    /// Makes the error for a front that does not answer where Home Assistant posts.
    static func frontAway(at host: String) -> ControlError {
        ControlError(
            .unavailable, "the front at \(host) cannot be reached from here",
            hint: "run the test at home")
    }
}

/// The relay that failed.
enum RelayRole: String {
    case relay = "the relay"
    case front = "the front"
    /// The relay behind a front.
    case farRelay = "the far relay"
}

/// Failures of requests to relays.
extension ControlError {
    init(_ failure: RelayFailure, at host: String, of role: RelayRole = .relay) {
        switch failure {
        case .unreachable(let text):
            self.init(
                .unavailable, "\(role.rawValue) is not reached: \(text)",
                hint:
                    "check the address, this machine's network, and that \(role.rawValue) is running"
            )
        case .untrusted(let text):
            self.init(
                .unavailable, "\(role.rawValue) is not reached: \(text)",
                hint: RelayFailure.trustHint)
        case .notRelay(let text):
            self.init(
                .refused, "no Homing relay answers at \(host): \(text)",
                hint: "check the address, and the path if a proxy has one for the relay")
        case .limited:
            self.init(
                .refused, "the daily limit of notifications is reached",
                hint:
                    "the count starts again at midnight, UTC; who runs the relay can raise the limit"
            )
        case .refused(.farAway):
            self.init(
                .unavailable, "the front cannot reach the far relay",
                hint:
                    "the front's operator finds the reason in its log; then give the same command again"
            )
        case .refused(let refusal): self.init(refusal, at: host, of: role)
        }
    }

    private init(_ refusal: RelayRefusal, at host: String, of role: RelayRole) {
        let (relay, isFar) = (role.rawValue, role == .farRelay)
        // A relay lets this machine repeat the code that it used.
        let again =
            isFar
            ? "give the same command again with --far-code CODE: the front's code stays good for this machine"
            : "homing relay join URL CODE"
        let owner = isFar ? "who runs \(host)" : "who runs the relay"
        switch refusal {
        case .codeNeeded:
            self.init(
                .refused, "\(relay) takes a machine with a code only",
                hint: "ask \(owner) for a code (homing-relay invite), then: \(again)")
        case .codeWrong:
            self.init(
                .refused,
                "the code\(isFar ? " of \(relay)" : "") is wrong, was used before, or is too old",
                hint: "ask \(owner) for a new code: each code works once"
                    + (isFar ? ". Then \(again)" : ""))
        case .joinClosed:
            self.init(
                .refused, "\(relay) takes no more machines",
                hint: "ask \(owner) to open it (join in relay.conf)")
        case .tooManyGuesses:
            self.init(
                .refused, "too many wrong codes came from this address",
                hint: "wait an hour, and ask for a new code")
        case .tooManyJoins:
            self.init(
                .refused, "too many machines joined from this address", hint: "wait an hour")
        case .revoked, .badToken:
            self.init(
                .refused, "\(relay) no longer takes this machine's token",
                hint: "ask \(owner) for a code, then: \(again)")
        case .blocked:
            self.init(
                .refused, "\(relay) has blocked this machine",
                hint: "ask \(owner) to unblock it: homing-relay mailbox unblock")
        default:
            self.init(
                .refused, "\(relay) says: \(refusal)",
                hint: "\(owner) finds the reason in its log")
        }
    }
}
