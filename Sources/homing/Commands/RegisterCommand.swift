import Glibc
internal import HomeAssistantAPI
import HomingCommandLine
import HomingControl
internal import HomingHealth
import HomingRegistration
import HomingRuntime
import HomingTerminal

extension Command {
    /// `homing register`: bind this machine to a Home Assistant.
    static let register = CommandDefinition(
        "register", summary: "Register this machine with Home Assistant",
        discussion: """
            Needs a long-lived access token: in Home Assistant, your profile, Security. register \
            asks for the token without showing the token. --token-file, standard input or the \
            environment variable HOMING_TOKEN can also give the token. No option takes the \
            token itself: others could read the command line.

            The network of the registration is recorded as home. At home, Homing uses the address \
            directly; elsewhere Home Assistant Cloud comes first, if you have it. With --home \
            NAME, the machine reports to a further Home Assistant, the home NAME. Networks of a \
            further home are recorded only with --home-network.
            """,
        options: [
            OptionDefinition(
                "url", value: "URL", help: "Home Assistant's address: http://HOST:8123"),
            OptionDefinition(
                "token-file", value: "FILE", help: "Read the token from FILE; - is stdin"),
            OptionDefinition(
                "name", value: "NAME",
                help: "Device name (default: host name, with --take-over the name of the device)"),
            OptionDefinition(
                "again", help: "Replace the registration; identity and queue are kept"),
            .newDevice, .takenDevice,
            OptionDefinition(
                "home-network", help: "Record this network as home, of a second home too"),
            OptionDefinition("no-home-network", help: "Do not record this network as home"),
            OptionDefinition(
                "allow-unencrypted", help: "Go on although Home Assistant gives no secret"),
            OptionDefinition(
                "allow-plain-http",
                help: "Send the token unencrypted to a host that is not local"),
        ],
        examples: [
            "homing register --url http://homeassistant.local:8123": "asks for the token",
            "homing register --again": "the same address and token",
            "homing register --new --name Van2": "on a machine cloned from another",
        ],
        exitCodes: .ofRegistering + [
            0: "registered",
            64: "no address, no token, registered already, or another daemon of this machine runs",
        ]
    ).runs(register)

    private static func register(_ command: ParsedCommand) throws(ControlError) {
        var params = ControlCommand.Register(
            url: command.value("url"), token: nil, deviceName: command.value("name"),
            again: command.has("again"), new: command.has("new"),
            takesDevice: command.has("take-over") ? true : nil, homeNetwork: command.homeNetwork,
            allowUnencrypted: command.has("allow-unencrypted"),
            allowPlainHTTP: command.has("allow-plain-http"))
        try command.checkRegistration()
        try ControlClient.refuseUnused()
        try checkPresentRegistrations(params, configuration: command.value("config"))
        params.token = try TokenInput.read(
            file: command.value("token-file"), mayKeep: params.again || params.new)
        var consent = ConsentBesideDaemon()
        try consent.obtain(asks: Terminal.isInputInteractive && Terminal.isErrorInteractive)
        try RegistrationLock.wait()
        // The token was typed, or another command waited for: a daemon may have started meanwhile.
        try consent.obtain(asks: false)
        if let daemon = try ControlClient.ifRunning(toChange: true) {
            printRegistration(try daemon.call(.register(params), returning: RegisterResult.self))
            consent.advice.forEach { Terminal.print($0) }
            return
        }
        let outcome = try OfflineRegistration.run(params, configuration: command.value("config"))
        let again = OfflineRegistration.repetition(of: params, for: outcome.deviceID)
        // The registration is stored, whatever becomes of a daemon that has started.
        let daemon = try? ControlClient.ifRunning()
        var repeated: RegisterResult?
        do throws(ControlError) {
            repeated = try daemon?.call(again, returning: RegisterResult.self)
        } catch { Terminal.error(OfflineRegistration.text(ofUnread: error)) }
        printRegistration(repeated ?? outcome.result)
        if repeated == nil {
            Terminal.print("The registration is stored in \(try OfflineState().place)")
            if ServiceControl.isThere {
                Terminal.print("To start the service: \(ServiceControl.startCommand)")
            }
        }
        consent.advice.forEach { Terminal.print($0) }
    }

    /// Throws where the request cannot succeed, before a person answers questions.
    private static func checkPresentRegistrations(
        _ params: ControlCommand.Register, configuration path: String?
    ) throws(ControlError) {
        guard let daemon = try ControlClient.ifRunning(toChange: true) else {
            let state = try OfflineState()
            let present = try state.load()
            let refusal = params.refusal(beside: state.otherHomes, present: present?.instanceURL)
            if let refusal { throw refusal }
            try RegistrationPlan.check(params, beside: present.map { RegistrationReport($0) })
            _ = try OfflineRegistration.configuration(path)
            return
        }
        _ = try daemon.statusToRegister()
        var present: RegistrationReport?
        do throws(ControlError) {
            present = try daemon.call(.registration, returning: RegistrationReport.self)
        } catch {
            // A home that is named may be a new home.
            let isNew = error.exitCode == .notRegistered || ControlClient.namedHome != nil
            guard isNew else { throw error }
        }
        try RegistrationPlan.check(params, beside: present)
    }

    private static func printRegistration(_ result: RegisterResult) {
        for sentence in result.sentences + result.leftToken { Terminal.print(sentence) }
        if let reason = result.noEndpoint {
            Terminal.print("Nothing is sent from this network: \(reason).")
            let hint = "If this network is home, type: homing network home"
            Terminal.print(Terminal.typed(hint.namingHome()))
        }
    }
}

extension ControlClient {
    /// Returns the status of all homes. Throws if this user may not register the daemon.
    func statusToRegister() throws(ControlError) -> StatusReport {
        let report = try aboutAll.call(.status, returning: StatusReport.self)
        guard !report.restricted else {
            throw ControlError(
                .notPermitted, "you may not register the system's daemon",
                hint: MachineDaemons.hintToRegister(
                    isSystemsRegistered: report.homes.contains { $0.registration != nil }))
        }
        return report
    }
}

extension RegisterResult {
    /// Sentences about what has been done.
    var sentences: [String] {
        let encryption = encrypted ? "encrypted" : "NOT encrypted"
        return ["Registered as \(deviceName); messages are \(encryption)."]
            + (home.map { ["The network \($0) is home."] } ?? [])
            + (hadDevice == true
                ? [
                    "Home Assistant had this device already. If another daemon or machine used the device, its "
                        + "registration has ended."
                ] : [])
    }

    /// Sentences about a token in the former Home Assistant.
    var leftToken: [String] {
        let told =
            "The token that Homing made in the former Home Assistant is still there: delete "
            + "\"Homing on …\" in your profile, Security."
        return leavesToken ? [told] : []
    }
}

extension ParsedCommand {
    /// Throws where the options of a registration contradict each other, before a token is read.
    func checkRegistration() throws(ControlError) {
        try RegistrationPlan.check(
            isNew: has("new"), takesDevice: has("take-over"), deviceName: value("name"))
    }

    /// Whether the present network is a home network, if the command says so.
    var homeNetwork: Bool? {
        has("home-network") ? true : has("no-home-network") ? false : nil
    }
}

/// Source of the token.
enum TokenInput {
    /// The token from the file, the environment, standard input or a prompt; `nil` to keep the one
    /// of the registration that is replaced.
    static func read(file: String?, mayKeep: Bool) throws(ControlError) -> String? {
        if let file, file != "-" { return try token(fileWords(file), of: file) }
        if file == nil, let value = getenv("HOMING_TOKEN") {
            return try token(words(String(cString: value)), of: "HOMING_TOKEN")
        }
        if file == nil, mayKeep { return nil }
        guard Terminal.isInputInteractive else {
            return try token(words(DataInput.standardInput()), of: "the standard input")
        }
        let line = LinePrompt.readSecret(
            "Long-lived access token (not shown): ", farewell: "Nothing was registered.")
        return try token(words(line ?? ""), of: "the line")
    }

    private static func fileWords(_ path: String) throws(ControlError) -> [String] {
        do throws(SystemError) { return try SecretFile.words(path) } catch {
            throw ControlError(
                .usage, "\(error)", hint: "give a file that holds the token alone")
        }
    }

    private static func words(_ text: String) -> [String] { SecretFile.words(in: Array(text.utf8)) }

    private static func token(
        _ words: [String], of source: String
    ) throws(ControlError) -> String {
        guard let token = words.first else {
            throw ControlError(
                .usage, "no token given: \(source) is empty",
                hint: "make a long-lived access token in Home Assistant (your profile, Security) "
                    + "and give it by --token-file FILE, HOMING_TOKEN or standard input")
        }
        guard words.count == 1 else {
            throw ControlError(
                .usage, "\(source) holds \(words.count) words", hint: "give the token alone")
        }
        return token
    }
}

extension OptionDefinition {
    /// Option where a copy of this machine, or another home, is a device of this Home Assistant
    /// already.
    static let newDevice = OptionDefinition(
        "new", help: "Become another device, beside a copy or another home")
    /// Option where Home Assistant has this machine's device under another name.
    static let takenDevice = OptionDefinition(
        "take-over", help: "Take the device of another name that has this identity")
}
