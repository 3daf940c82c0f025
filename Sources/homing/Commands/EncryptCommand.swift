import HomingCommandLine
import HomingControl

/// `homing registration encrypt`: a secret for a registration that has none.
enum EncryptCommand {
    static let command = CommandDefinition(
        "registration encrypt",
        summary: "Ask Home Assistant for a secret, and seal from then on",
        discussion: """
            For a registration that was made without a secret. Homing also asks by itself, at \
            its start and daily, but only over verified TLS or on this machine: the secret \
            travels once, unsealed. At home the secret can come over plain HTTP. There another \
            host can read the secret, or copy the network's name and give a secret of its own. \
            So this command warns and asks first, and such a secret never lets the token go.
            """,
        options: [
            OptionDefinition("yes", short: "y", help: "Take the secret over plain HTTP if need be"),
            Output.json,
        ],
        exitCodes: .ofHomeAssistant + [
            0: "messages are sealed",
            64: "only plain HTTP is left, and it was not confirmed",
            75: "no way by which a secret may travel, or no answer came",
            76: "Home Assistant has none to give, or gave it before",
        ]
    ).runs(run)

    private static func run(_ command: ParsedCommand) throws(ControlError) {
        var result = try ask(overPlainHTTP: command.has("yes"))
        if let host = result.unconfirmed {
            try confirm(host)
            result = try ask(overPlainHTTP: true)
        }
        Output.show(result, command, text: text(result))
    }

    private static func ask(overPlainHTTP: Bool) throws(ControlError) -> EncryptionResult {
        try ControlClient().call(
            .enableEncryption(overPlainHTTP: overPlainHTTP),
            returning: EncryptionResult.self)
    }

    /// Returns if a person says yes.
    private static func confirm(_ host: String) throws(ControlError) {
        let warning =
            "the secret would come from \(host) over plain HTTP: who listens on this network can "
            + "read it, or give one of their own"
        guard Terminal.isInputInteractive, Terminal.isErrorInteractive else {
            throw ControlError(
                .usage, warning, hint: "do it where https can be used, or add --yes")
        }
        Terminal.error("Careful: \(warning).")
        Terminal.error("Go on all the same? [y/N] ", terminator: "")
        guard Terminal.saysYes() else { throw ControlError(.usage, "no secret was asked for") }
    }

    private static func text(_ result: EncryptionResult) -> String {
        let words =
            result.wasEnabled ? "Messages are sealed already." : "Messages are sealed from now on."
        guard !result.isProven else { return words }
        return words
            + " The secret came over plain HTTP, so the token is sent over https only: "
            + "homing register --again makes a new one."
    }
}
