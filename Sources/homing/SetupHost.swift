internal import HomingBase
import HomingConfiguration
import HomingControl
import HomingHTTP
import HomingHealth
import HomingPairing
import HomingRegistration
import HomingRoutes
import HomingRuntime
import HomingTerminal

/// Host of a pairing on this machine. The host talks on the terminal, registers with or without the
/// daemon, starts the service and asks for a receipt.
@LoopActor final class SetupHost: PairingHost {
    /// Times a proof is asked for, and seconds between them: Home Assistant sets a new device up
    /// after it has answered.
    private static let attempts = 8
    private static let pause: Seconds = 1

    private var daemon: ControlClient?
    /// Identity of the device that was registered without a daemon: a later try is for the same device.
    private var storedDevice: String?
    private let configuration: Configuration
    /// Path on the command line.
    private let configurationPath: String?
    private let http: HTTPClient
    private var consent: ConsentBesideDaemon
    private let allowUnencrypted: Bool
    /// Kept for as long as the pairing goes on.
    private var conductor: PairingConductor?
    /// Whether standard output is for a program.
    private let isForProgram: Bool
    /// The device, once it is registered.
    private var deviceName: String?
    /// Whether this setup started the daemon.
    private var hasStarted = false
    /// Whether Home Assistant has opened a sealed message; `nil` as long as nobody asked.
    private var isProven: Bool?
    /// Last problem, in people's words.
    private var problem: String?
    /// The daemon's or the command's own last refusal, with its exit code.
    private(set) var refusal: ControlError?

    init(
        daemon: ControlClient?, configuration: Configuration, at path: String?, http: HTTPClient,
        consent: ConsentBesideDaemon, allowUnencrypted: Bool, isForProgram: Bool
    ) {
        self.daemon = daemon
        self.configuration = configuration
        configurationPath = path
        self.http = http
        self.consent = consent
        self.allowUnencrypted = allowUnencrypted
        self.isForProgram = isForProgram
    }

    /// Keeps the conductor until `ended`.
    func begin(_ conductor: PairingConductor) { self.conductor = conductor }

    /// The pairing has ended. Returns the number of the signal that ended it, if one did.
    func ended() -> Int32? {
        defer { conductor = nil }
        return conductor?.interruption
    }

    /// The end of a setup that registered, for programs.
    func result(_ situation: PairingSituation) -> SetupResult {
        SetupResult(
            changed: true, deviceName: deviceName ?? situation.machineName, home: situation.home,
            proven: isProven, problem: problem)
    }

    func say(_ text: String) {
        let typed = Terminal.typed(text.namingHome())
        if isForProgram { Terminal.error(typed) } else { Terminal.print(typed) }
    }

    /// A terminal that does not tell its size, as on a serial line, may have no room for the
    /// picture. A `dumb` terminal cannot draw the picture.
    func show(_ picture: CodePicture) {
        if let size = Console.drawingSize, picture.fits(columns: size.columns, rows: size.rows) {
            Console.draw(picture.rows)
        } else {
            say(picture.needs)
        }
    }

    func askQuestion(_ question: String) { Terminal.print(question, terminator: "") }

    func register(
        _ order: PairingSession.Order, _ credential: PairingCredential
    ) async -> Result<String, PairingTrouble> {
        let params = ControlCommand.Register(
            url: order.url, token: credential.token, clientID: credential.clientID,
            tokenIsOwn: credential.isOwn, tokenTitle: credential.title,
            deviceName: order.keepsDeviceName ? nil : order.deviceName, again: order.again,
            new: order.isNew,
            takesDevice: order.takesDevice ? true : nil,
            homeNetwork: order.isHome, allowUnencrypted: allowUnencrypted,
            allowPlainHTTP: order.allowsPlainHTTP)
        do throws(ControlError) {
            try await RegistrationLock.hold()
            defer { RegistrationLock.release() }
            // Another daemon may have started since the first question.
            if let trouble = refuseBesideDaemon() { return .failure(trouble) }
            let registered = try await register(params)
            deviceName = registered.deviceName
            return .success(words(registered))
        } catch {
            refusal = error
            return .failure(PairingTrouble(error))
        }
    }

    /// Returns why nothing may be registered beside another daemon; no other address helps.
    private func refuseBesideDaemon() -> PairingTrouble? {
        do throws(ControlError) {
            try consent.obtain(asks: false)
            return nil
        } catch {
            refusal = error
            return PairingTrouble(.otherDaemon, error.message, hint: error.hint)
        }
    }

    private func register(
        _ params: ControlCommand.Register
    ) async throws(ControlError) -> RegisterResult {
        // The command that held the lock may have started the daemon.
        if daemon == nil { daemon = try ControlClient.ifRunning(toChange: true) }
        if let daemon {
            var params = params
            params.deviceID = storedDevice
            return try await daemon.callWhileLoopTurns(
                .register(params), returning: RegisterResult.self)
        }
        let outcome = try await OfflineRegistration.register(params, configuration, http: http)
            .get()
        storedDevice = outcome.deviceID
        // The registration is stored, whatever becomes of a daemon that has started.
        daemon = try? ControlClient.ifRunning()
        guard let daemon else { return outcome.result }
        let again = OfflineRegistration.repetition(of: params, for: outcome.deviceID)
        do throws(ControlError) {
            return try await daemon.callWhileLoopTurns(again, returning: RegisterResult.self)
        } catch {
            say(OfflineRegistration.text(ofUnread: error))
            return outcome.result
        }
    }

    private func words(_ result: RegisterResult) -> String {
        let state = daemon == nil ? try? OfflineState() : nil
        let place = state.map { ["The registration is stored in \($0.place)"] } ?? []
        let route = result.noEndpoint.map { ["Nothing is sent from this network: \($0)."] } ?? []
        let first = (result.sentences + place).joined(separator: " ")
        return ([first] + result.leftToken + route).joined(separator: "\n")
    }

    func startService() async -> PairingTrouble? {
        let trouble = await start()
        if let trouble { problem = trouble.message }
        return trouble
    }

    private func start() async -> PairingTrouble? {
        if let trouble = await ServiceControl.enable() { return trouble }
        for _ in 0..<Self.attempts {
            daemon = try? ControlClient.ifRunning()
            if daemon != nil {
                hasStarted = true
                return nil
            }
            await Watch.pause(Self.pause)
        }
        return PairingTrouble(
            .machine, "the service was started, but its socket does not answer",
            hint: ServiceControl.hintOfJournal("read the reason"))
    }

    func test() async -> PairingTrouble? {
        var trouble: PairingTrouble?
        // Home Assistant has set a device up that was registered before. A daemon that has just started does
        // not know the network yet.
        let attempts = deviceName == nil && !hasStarted ? 1 : Self.attempts
        for attempt in 0..<attempts {
            if attempt > 0 { await Watch.pause(Self.pause) }
            trouble = await prove()
            isProven = trouble == nil
            if trouble == nil { return nil }
        }
        problem = trouble?.message ?? problem
        return trouble
    }

    func judgeNetwork(isHome: Bool) {
        guard let daemon else { return }
        do throws(ControlError) {
            _ = try daemon.call(.judgeNetworks(areHome: isHome), returning: NetworkReport.self)
        } catch {
            say("Your answer about this network was not saved: \(error.message)")
        }
    }

    func offerLocation() async -> LocationOffer { await location?.offer() ?? LocationOffer() }

    func keepPlace(
        zone: String, _ network: LocationOffer.Network
    ) async -> Result<String, PairingTrouble> {
        await location?.keepPlace(zone: zone, network) ?? .failure(.noDaemon)
    }

    func disableGPS() async -> Result<String, PairingTrouble> {
        location?.disableGPS() ?? .failure(.noDaemon)
    }

    func enableGeoClue() async -> Result<String, PairingTrouble> {
        location?.enableGeoClue() ?? .failure(.noDaemon)
    }

    func summarizeLocation() async {
        if let summary = await location?.summary() { say(summary) }
    }

    /// The daemon is known by now: setup ends with the location.
    private lazy var location = daemon.map {
        LocationSetup(daemon: $0, configuration: configurationPath)
    }

    /// Asks for one receipt on any endpoint that may be used.
    private func prove() async -> PairingTrouble? {
        let findings: [Finding]
        do throws(ControlError) { findings = try await examine() } catch {
            return PairingTrouble(error)
        }
        if findings.contains(where: { $0.check == .key && $0.outcome == .well }) { return nil }
        let isUnsealed = findings.contains { $0.check == .key && $0.problem == .unencrypted }
        if allowUnencrypted, isUnsealed { return nil }
        let causes = Examination(findings).causes
        let lost = causes.first { [.unknownWebhook, .gone].contains($0.problem) }
        guard let cause = lost ?? causes.first, let problem = cause.problem else {
            return PairingTrouble(
                .unreachable, "no endpoint of Home Assistant could be examined",
                hint: Terminal.typed("connect this machine to a network, then run: homing doctor"))
        }
        let kind: PairingTrouble.Kind =
            switch problem {
            case .unknownWebhook, .gone: .lostRegistration
            case .noEndpoint: .noEndpoint
            default: .unreachable
            }
        return PairingTrouble(
            kind, "\(problem.text): \(cause.detail)",
            hint: Terminal.typed(problem.hint.namingHome()))
    }

    private func examine() async throws(ControlError) -> [Finding] {
        if let daemon {
            return try await daemon.callWhileLoopTurns(.examine, returning: ExaminationReport.self)
                .findings
        }
        guard let registration = try OfflineState().load() else {
            throw ControlError(.notRegistered, Warnable.notRegistered.text)
        }
        let route = RouteChooser(registration: registration, configuration)
            .route(on: await .present)
        return await RouteExaminer.examine(
            route, of: registration, http: http, clock: SystemClock())
    }
}

extension PairingTrouble {
    fileprivate static var noDaemon: PairingTrouble {
        PairingTrouble(
            .machine, "the daemon is not running", hint: MachineDaemons.presentStartHint)
    }

    /// Sorts the failure of a registration by what another answer could correct.
    init(_ error: ControlError) {
        let kind: Kind =
            switch error.exitCode {
            case .unavailable: .unreachable
            case .refused: error.message.holds("(401)") ? .login : .refused
            case .usage, .temporary: .refused
            case .knownDevice: .knownDevice
            default: .machine
            }
        self.init(kind, error.message, hint: error.hint)
    }
}
