import Glibc
internal import HomeAssistantAPI
import HomingCommandLine
import HomingConfiguration
import HomingControl
import HomingHTTP
internal import HomingHealth
import HomingMachine
import HomingPairing
import HomingRegistration
import HomingRuntime
import HomingTerminal

extension Command {
    /// `homing setup`: from nothing to a device in Home Assistant, in one conversation.
    static let setup = CommandDefinition(
        "setup", summary: "Pair this machine with Home Assistant, step by step",
        discussion: """
            Finds Home Assistant on this network, or asks for the address. You log in with a \
            browser, here or on another machine. setup makes an access token, registers the \
            machine, and asks whether this network is home. Then setup starts the service, and \
            checks that Home Assistant decrypts the messages. At the end setup asks what else \
            may show the location. Run setup with sudo for the system's daemon, without sudo for \
            your own daemon.

            With --home NAME, the machine reports to a further Home Assistant, the home NAME.

            For a script, give --url and --token-file (or the environment variable \
            HOMING_TOKEN), and --yes: setup asks nothing then. A registration at the same \
            address is replaced. At another address, a script must name the home: --home NAME. \
            With --if-needed, a registration at the same address stays, and no token is read. \
            With --if-needed and --new, a registration that another machine made is replaced.
            """,
        options: options,
        examples: [
            "sudo homing setup": "asks for everything",
            "sudo homing setup --home cabin": "adds a Home Assistant",
            "homing setup --url http://homeassistant.local:8123 --token-file token --yes":
                "for a script",
            "homing setup --if-needed --json --url URL --token-file token": "for many machines",
        ],
        exitCodes: .ofRegistering + [
            0: "paired and tested",
            1: "registered, but the service, the test, or an answer about the location failed",
            64: "an answer is missing, a home must be named, another home has that address, or "
                + "another daemon runs",
        ]
    ).runs(pair)

    private static let options = [
        OptionDefinition("url", value: "URL", help: "Home Assistant's address: http://HOST:8123"),
        OptionDefinition(
            "token-file", value: "FILE",
            help: "Read a long-lived token from FILE instead of a login; - is stdin"),
        OptionDefinition(
            "name", value: "NAME",
            help: "Device name (default: host name, with --take-over the name of the device)"),
        .newDevice, .takenDevice,
        OptionDefinition("home-network", help: "This network is home"),
        OptionDefinition("no-home-network", help: "This network is not home"),
        OptionDefinition("no-service", help: "Do not start the service"),
        OptionDefinition(
            "if-needed", help: "Change nothing where this machine is registered at that address"),
        Terminal.json,
        OptionDefinition("headless", help: "Open no browser: print the page's address alone"),
        OptionDefinition(
            "yes", short: "y",
            help: "Take the usual answers; replace a registration at the same address"),
        OptionDefinition(
            "allow-unencrypted", help: "Go on although Home Assistant gives no secret"),
        OptionDefinition(
            "allow-plain-http", help: "Log in unencrypted at a host that is not local"),
    ]

    private static func pair(_ command: ParsedCommand) throws(ControlError) -> ExitCode {
        guard !(command.has("home-network") && command.has("no-home-network")) else {
            throw ControlError(.usage, "--home-network and --no-home-network exclude each other")
        }
        try command.checkRegistration()
        var choices = choices(command)
        let isIfNeeded = command.has("if-needed")
        try ControlClient.refuseUnused()
        var daemon = try ControlClient.ifRunning(toChange: true)
        let path = command.value("config")
        let configuration = try OfflineRegistration.configuration(path)
        // A variable stays set: it says which home is meant, and not that the home may be replaced.
        let isHomeNamed = command.value("home") != nil
        var situation = try situation(daemon, configuration, isHomeNamed: isHomeNamed)
        if isIfNeeded, situation.keepsRegistration(choices) {
            return try keep(situation, choices, daemon, command)
        }
        choices.acceptsDefaults = choices.acceptsDefaults || isIfNeeded
        let token = try token(command)
        choices.hasToken = token != nil
        var consent = ConsentBesideDaemon()
        try consent.obtain(
            asks: choices.isInteractive && !choices.acceptsDefaults && Terminal.isErrorInteractive)
        // A person is asked first, and waits for another command when the registration comes.
        if !choices.isInteractive || isIfNeeded && choices.url != nil {
            try RegistrationLock.wait()
            // The command that held the lock may have registered the machine, and started the daemon.
            daemon = try ControlClient.ifRunning(toChange: true)
            situation = try self.situation(daemon, configuration, isHomeNamed: isHomeNamed)
            if isIfNeeded, situation.keepsRegistration(choices) {
                return try keep(situation, choices, daemon, command)
            }
        }
        // The registration of an image is no registration of this machine.
        if situation.isCopied { situation.registeredAs = nil }
        let answer = EventLoop.main.wait { [choices, daemon, situation, consent] in
            let http = HTTPClient(configuration)
            defer { http.shutdown() }
            let host = SetupHost(
                daemon: daemon, configuration: configuration, at: path, http: http,
                consent: consent, allowUnencrypted: command.has("allow-unencrypted"),
                isForProgram: command.has("json"))
            return await withCheckedContinuation { continuation in
                let conductor = PairingConductor(
                    PairingSession(choices: choices, situation: situation), host: host, http: http,
                    credential: token.map { PairingCredential(token: $0) },
                    opensBrowser: !command.has("headless") && Browser.isThere
                ) { ending in
                    let number = host.ended()
                    continuation.resume(
                        returning: (ending, host.refusal, number, host.result(situation)))
                }
                host.begin(conductor)
                conductor.start(readsLines: choices.isInteractive)
            }
        }
        if let number = answer.2 {
            // As who waits for this process expects of it.
            signal(number, SIG_DFL)
            raise(number)
        }
        let code = try exitCode(answer.0, answer.1)
        if !command.has("json") { consent.advice.forEach { Terminal.print($0) } }
        if command.has("json") { Terminal.print(json: ReportJSON.text(answer.3)) }
        return code
    }

    /// Warnings of a registration that a person has to correct.
    private static let unusable: [Warnable] = [
        .registrationUnusable, .unknownWebhook, .keyRefused, .mobileAppMissing,
    ]

    /// Starts the service where no daemon runs, and changes nothing else. Throws where the daemon cannot use
    /// the registration.
    private static func keep(
        _ situation: PairingSituation, _ choices: PairingChoices, _ daemon: ControlClient?,
        _ command: ParsedCommand
    ) throws(ControlError) -> ExitCode {
        if situation.isMoved {
            throw ControlError(
                .refused, Warnable.anotherMachine.text, hint: Warnable.anotherMachine.hint)
        }
        var result = SetupResult(
            changed: false, deviceName: situation.registeredAs ?? "", home: situation.home)
        if !situation.isDaemonRunning, situation.hasServiceManager, choices.startsService != false {
            var consent = ConsentBesideDaemon()
            try consent.obtain(asks: false)
            result.changed = true
            result.problem = EventLoop.main.wait { await ServiceControl.enable() }?.message
        }
        let home = try daemon?.aboutAll.call(.status, returning: StatusReport.self).homes
            .first { $0.name == situation.home }
        for warning in home?.warnings ?? []
        where unusable.contains(where: { $0.code == warning.code }) {
            throw ControlError(.refused, warning.text, hint: warning.hint)
        }
        Terminal.show(result, command, text: result.text)
        return result.problem == nil ? .done : .failure
    }

    /// `nil` to log in with a browser.
    private static func token(_ command: ParsedCommand) throws(ControlError) -> String? {
        let file = command.value("token-file")
        guard file != nil || getenv("HOMING_TOKEN") != nil else { return nil }
        return try TokenInput.read(file: file, mayKeep: false)
    }

    private static func choices(_ command: ParsedCommand) -> PairingChoices {
        var choices = PairingChoices()
        choices.url = command.value("url")
        choices.deviceName = command.value("name")
        choices.isNew = command.has("new")
        choices.takesDevice = command.has("take-over")
        choices.isHome = command.homeNetwork
        choices.startsService = command.has("no-service") ? false : nil
        choices.acceptsDefaults = command.has("yes")
        let readsToken = command.value("token-file") == "-"
        choices.isInteractive =
            Terminal.isInputInteractive && Terminal.isOutputInteractive && !readsToken
            && !command.has("json")
        choices.allowsPlainHTTP = command.has("allow-plain-http")
        return choices
    }

    /// Reads the registrations. A person who may not register is told so before the login, not
    /// after the login.
    private static func registered(
        _ daemon: ControlClient
    ) throws(ControlError) -> Standing {
        let report = try daemon.statusToRegister()
        let listed = try daemon.aboutAll.call(.homes, returning: HomesReport.self)
        let registered = report.homes.filter { $0.registration != nil }.map(\.name)
        // A home that cannot be opened has a registration, for all that is known.
        let all = registered + listed.failed.map(\.name)
        let home = ControlClient.namedHome ?? all.first
        var standing = Standing(home: home ?? HomeFolders.unnamed)
        if let home, all.contains(home) {
            standing.known = try daemon.call(.registration, returning: RegistrationReport.self)
        }
        let others = all.filter { $0 != home }
        let reports = daemon.call(
            .registration, about: others, returning: RegistrationReport.self)
        standing.others = zip(others, reports).map { name, report in
            RegisteredHome(name, at: (try? report.get())?.instanceURL)
        }
        return standing
    }

    private static func registeredOffline() throws(ControlError) -> Standing {
        let state = try OfflineState()
        try state.mustBeWritable()
        let known = try state.load().map { RegistrationReport($0) }
        return Standing(home: state.home, known: known, others: state.otherHomes)
    }

    /// The home that is meant with its registration, and the other homes with a registration.
    private struct Standing {
        var home: String
        var known: RegistrationReport?
        var others: [RegisteredHome] = []
    }

    private static func situation(
        _ daemon: ControlClient?, _ configuration: Configuration, isHomeNamed: Bool
    ) throws(ControlError) -> PairingSituation {
        let standing = if let daemon { try registered(daemon) } else { try registeredOffline() }
        let present = EventLoop.main.wait { await NetworkState.present }.asHomeNetwork
        var situation = PairingSituation(
            home: standing.home, registeredAs: standing.known?.deviceName,
            machineName: MachineDescription.read().name, network: present?.name,
            isDaemonRunning: daemon != nil, hasServiceManager: ServiceControl.isThere)
        situation.isHomeNamed = isHomeNamed
        situation.usesPlainHTTPAway = configuration.homeAssistant.plainHTTPAway
        situation.serviceStart = ServiceControl.start
        situation.startCommand = ServiceControl.startCommand
        situation.registeredURL = standing.known?.instanceURL
        situation.isMoved = standing.known?.standing == .moved
        situation.isCopied = standing.known?.standing == .copied
        if let network = present?.network.identifier {
            situation.isNetworkRecorded = standing.known?.homeNetworks.contains(network) ?? false
        }
        situation.otherHomes = standing.others
        return situation
    }

    private static func exitCode(
        _ ending: PairingEnding, _ refusal: ControlError?
    ) throws(ControlError) -> ExitCode {
        switch ending {
        case .paired: return .done
        case .incomplete: return .failure
        case .stopped(let trouble):
            if let refusal, trouble.message == refusal.message { throw refusal }
            let code: ExitCode =
                switch trouble.kind {
                case .address, .login, .otherDaemon, .machine: .usage
                case .unreachable, .noEndpoint: .unavailable
                case .refused, .lostRegistration: .refused
                case .knownDevice: .knownDevice
                }
            throw ControlError(code, trouble.message, hint: trouble.hint)
        }
    }
}
