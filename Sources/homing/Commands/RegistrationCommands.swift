internal import Glibc
internal import HomeAssistantAPI
import HomingCommandLine
import HomingControl
internal import HomingHealth
internal import HomingRegistration
import HomingReports
import HomingTerminal

extension Command {
    /// `homing registration`: what binds this machine to a Home Assistant, without its secrets.
    static let registration = CommandDefinition(
        "registration", summary: "Show the registration, without its secrets",
        options: [Terminal.json],
        exitCodes: .ofRegistration + [
            0: "shown",
            66: "not registered",
            77: "not permitted for this user",
        ]
    ).runs { (command: ParsedCommand) throws(ControlError) -> Void in
        let report = try read(try ControlClient.ifRunning())
        Terminal.show(report, command, text: Terminal.typed(report.text))
    }

    /// Reads by the daemon, or by ourselves where none runs.
    private static func read(
        _ daemon: ControlClient?
    ) throws(ControlError) -> RegistrationReport {
        if let daemon {
            return try daemon.call(.registration, returning: RegistrationReport.self)
        }
        return RegistrationReport(try OfflineState().registration())
    }

    /// `homing registration update`: tell Home Assistant what this machine is now.
    static let updateRegistration = CommandDefinition(
        "registration update", summary: "Tell Home Assistant what this machine is now",
        discussion: """
            Homing does it by itself when its version or the machine's name, model or system \
            changed. A name that was chosen, here or by homing register \
            --name, stays when the machine's changes. Another name renames the device and its \
            notify service at once; entities keep their ids.
            """,
        options: [
            OptionDefinition("name", value: "NAME", help: "New device name"),
            Terminal.json,
        ],
        examples: ["homing registration update --name Van": "another name"],
        exitCodes: .ofHomeAssistant + [
            0: "Home Assistant knows",
            64: "an invalid name",
            75: "another registration is running",
            76: "Home Assistant refused the description",
        ]
    ).runs { (command: ParsedCommand) throws(ControlError) -> Void in
        let request = ControlCommand.updateRegistration(deviceName: command.value("name"))
        let report = try ControlClient().call(request, returning: RegistrationReport.self)
        Terminal.show(report, command, text: Terminal.typed(report.text))
    }

    /// `homing registration keep`: this machine took the place of the machine that was registered.
    static let keepRegistration = CommandDefinition(
        "registration keep", summary: "Continue as the device of another machine",
        discussion: """
            For a disk that was moved to another machine, or a machine with a new board. Homing \
            sends nothing until you choose. If the other machine is still used, this machine \
            must become another device: homing register --new
            """,
        options: [Terminal.json],
        exitCodes: .ofRegistration + [
            0: "this machine is the device",
            66: "not registered",
            76: "this machine is a copy of an image",
            77: "not permitted for this user",
        ]
    ).runs { (command: ParsedCommand) throws(ControlError) -> Void in
        let report = try keep(try ControlClient.ifRunning(toChange: true))
        Terminal.show(
            report, command,
            text: "This machine keeps the registration \(report.deviceName).".namingHome())
    }

    private static func keep(
        _ daemon: ControlClient?
    ) throws(ControlError) -> RegistrationReport {
        if let daemon {
            return try daemon.call(.keepRegistration, returning: RegistrationReport.self)
        }
        let state = try OfflineState()
        var registration = try state.registration()
        if registration.standing == .copied {
            throw ControlError(
                .refused, Warnable.imageCopy.text, hint: Warnable.imageCopy.hint)
        }
        registration.keep(on: .read())
        try state.save(registration)
        return RegistrationReport(registration)
    }

    /// `homing registration encrypt`: a secret for a registration that has none.
    static let encrypt = CommandDefinition(
        "registration encrypt",
        summary: "Ask Home Assistant for a secret, and encrypt from then on",
        discussion: """
            For a registration that was made without a secret. Homing also asks by itself, at \
            its start and daily, but only over verified TLS or on this machine: the secret \
            travels once, unencrypted. At home the secret can come over plain HTTP. There another \
            host can read the secret, or copy the network's name and give another secret. \
            So this command warns and asks first, and such a secret never lets the token go.
            """,
        options: [
            OptionDefinition("yes", short: "y", help: "Take the secret over plain HTTP if need be"),
            Terminal.json,
        ],
        exitCodes: .ofHomeAssistant + [
            0: "messages are encrypted",
            64: "only plain HTTP is left, and it was not confirmed",
            75: "no endpoint may carry a secret, or no answer arrived",
            76: "Home Assistant has no secret, or gave the secret before",
        ]
    ).runs(enableEncryption)

    private static func enableEncryption(_ command: ParsedCommand) throws(ControlError) {
        var result = try requestEncryption(overPlainHTTP: command.has("yes"))
        if let host = result.unconfirmed {
            try confirm(host)
            result = try requestEncryption(overPlainHTTP: true)
        }
        Terminal.show(result, command, text: Terminal.typed(text(result).namingHome()))
    }

    private static func requestEncryption(
        overPlainHTTP: Bool
    ) throws(ControlError) -> EncryptionResult {
        try ControlClient().call(
            .enableEncryption(overPlainHTTP: overPlainHTTP), returning: EncryptionResult.self)
    }

    /// Returns if a person says yes.
    private static func confirm(_ host: String) throws(ControlError) {
        let warning =
            "the secret\(ofHome) would come from \(host) over plain HTTP: who listens on this "
            + "network can read it, or give one of their own"
        guard Terminal.isInputInteractive, Terminal.isErrorInteractive else {
            throw ControlError(
                .usage, warning, hint: "do it where https can be used, or add --yes")
        }
        try Terminal.mustContinue(despite: warning, orElse: "no secret was asked for")
    }

    private static func text(_ result: EncryptionResult) -> String {
        let words =
            result.wasEnabled
            ? "Messages are encrypted already." : "Messages are encrypted from now on."
        guard !result.isProven else { return words }
        return words
            + " The secret came over plain HTTP, so the token is sent over https only. "
            + "For a new secret over https, run: homing register --again"
    }

    /// Words of a question about the home, if the command names a home.
    private static var ofHome: String {
        ControlClient.namedHome.map { " of the home \($0)" } ?? ""
    }

    /// `homing unregister`: forget Home Assistant.
    static let unregister = CommandDefinition(
        "unregister", summary: "Forget the registration; the queue is kept",
        discussion: """
            The device stays in Home Assistant until you delete it there: Settings, Devices & \
            services, Mobile App. A token that homing setup made is revoked, if Home Assistant can be \
            reached. A token that was given stays until it is deleted: your profile, Security.
            """,
        options: [OptionDefinition("yes", short: "y", help: "Do not ask"), Terminal.json],
        examples: [
            "homing unregister": "asks before, on a terminal",
            "homing unregister --yes": "does not ask",
        ],
        exitCodes: .ofRegistration + [
            0: "forgotten",
            1: "the question was answered by no",
            64: "not a terminal, and --yes is missing",
            66: "there is no registration",
            75: "another command still registers this machine",
            77: "not permitted for this user",
        ]
    ).runs(forget)

    /// Says that the home stays, where there are other homes.
    private static func tellOfHomeThatStays(_ daemon: ControlClient) {
        guard let home = ControlClient.namedHome,
            let report = try? daemon.call(.homes, returning: HomesReport.self),
            report.homes.count + report.failed.count > 1
        else { return }
        Terminal.print(
            Terminal.typed(
                "The home \(home) stays, with its queue. To remove it: homing homes remove \(home)")
        )
    }

    private static func show(_ result: UnregisterResult, _ command: ParsedCommand) {
        let ending = Ending(token: result.token, reason: result.reason, text: result.text)
        Terminal.show(ending, command, text: ending.text)
    }

    /// The end of a registration, for programs.
    private struct Ending: Encodable {
        var token: UnregisterResult.Token
        var reason: String?
        /// Text of what is left to do in Home Assistant, in people's words.
        var text: String
    }

    private static func forget(_ command: ParsedCommand) throws(ControlError) -> ExitCode {
        var (name, isOwn) = ("", false)
        do throws(ControlError) {
            let daemon = try ControlClient.ifRunning()
            isOwn = ControlClient.isOwnBesideSystems(daemon)
            let owner =
                geteuid() != 0 && daemon?.isAnotherUsers == true
                ? " of \(isOwn ? "your own" : "the system's") daemon" : ""
            name = owner + " as \(try read(isOwn ? nil : daemon).deviceName)"
        } catch {
            // A registration that cannot be read can be forgotten.
            let lasting: [ExitCode] = [.usage, .notPermitted, .notRegistered, .unavailable]
            if error.exitCode == .notPermitted, (try? ControlClient.ifListening()) != nil {
                throw ControlError(
                    .notPermitted, "you may not unregister the system's daemon",
                    hint: "to unregister the system's daemon, type the command with sudo")
            }
            if lasting.contains(error.exitCode) { throw error }
        }
        let question = "Forget the registration\(ofHome)\(name)? This cannot be undone."
        guard try Terminal.agrees(command, to: question) else { return .failure }
        try RegistrationLock.wait()
        // Home Assistant may take its time to answer.
        if Terminal.isErrorInteractive {
            Terminal.error("Asking Home Assistant, and deleting the registration …")
        }
        if !isOwn, let daemon = try ControlClient.ifRunning(toChange: true) {
            show(try daemon.call(.unregister, returning: UnregisterResult.self), command)
            if !command.has("json") { tellOfHomeThatStays(daemon) }
        } else {
            let file = command.value("config")
            show(try OfflineUnregistration.forget(configuration: file), command)
        }
        return .done
    }
}
