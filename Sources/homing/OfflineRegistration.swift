import HomeAssistantAPI
import HomingBus
import HomingConfiguration
import HomingControl
internal import HomingDoctor
import HomingHTTP
internal import HomingHealth
import HomingMachine
import HomingRegistration
import HomingRuntime
import HomingSettings
import HomingTerminal

/// Registering where no daemon runs: the command does it, and the daemon finds the file later.
enum OfflineRegistration {
    /// A registration that was stored.
    struct Outcome {
        let result: RegisterResult
        /// The identity of the device.
        let deviceID: String
    }

    static func run(
        _ params: ControlCommand.Register, configuration path: String?
    ) throws(ControlError) -> Outcome {
        let configuration = try configuration(path)
        return try EventLoop.main.wait {
            let http = HTTPClient(configuration)
            defer { http.shutdown() }
            return await register(params, configuration, http: http)
        }.get()
    }

    /// The request to register the same device again, for a daemon that has started meanwhile, and so may not
    /// know the registration.
    static func repetition(
        of params: ControlCommand.Register, for deviceID: String
    ) -> ControlCommand {
        var again = params
        again.again = true
        again.deviceID = deviceID
        return .register(again)
    }

    /// Text about a stored registration that a daemon has not read.
    static func text(ofUnread error: ControlError) -> String {
        "The registration is stored, but the daemon does not use the registration yet: \(error.message)\n"
            + Terminal.typed("  → run: systemctl restart homing")
    }

    /// Reads the configuration of the home that is meant, with the defaults where there is no file.
    static func configuration(_ path: String?) throws(ControlError) -> Configuration {
        let state = try OfflineState()
        switch Configuration.table.load(
            path: path ?? Folders.configuration(), explicit: path != nil, first: state.first)
        {
        case .success(let loaded): return loaded.values(of: state.home)
        case .failure(let errors): throw ControlError(.configuration, "\(errors)")
        }
    }

    /// The same from within the loop.
    @LoopActor static func register(
        _ params: ControlCommand.Register, _ configuration: Configuration, http: HTTPClient
    ) async -> Result<Outcome, ControlError> {
        do throws(ControlError) {
            let state = try OfflineState()
            let (existing, others) = (try state.load(), state.otherHomes)
            let refusal = params.refusal(beside: others, present: existing?.instanceURL)
            if let refusal { throw refusal }
            let plan = try RegistrationPlan.make(
                params, existing: existing, home: state.ownDevice,
                copyIdentity: OfflineState.asOwner { CopyIdentity(state: Folders.state()).read() })
            try existing?.mustHaveNoRowsOfOthers()
            try state.mustBeWritable()
            let relay = RelayChoice.read(
                configuration.push, credentials: state.credentials, joined: state.joinedRelay
            ).relay
            let performed = try await plan.performRegistration(http: http, relay: relay)
            var registration = performed.registration
            let records = params.homeNetwork ?? others.isEmpty
            let home = await records ? NetworkState.present.asHomeNetwork : nil
            if let home, !registration.homeNetworks.contains(home.network) {
                registration.homeNetworks.append(home.network)
            }
            try state.save(registration)
            var result = RegisterResult(
                deviceName: registration.deviceName, encrypted: registration.isSealed,
                home: home?.name)
            result.leavesToken = plan.leavesToken(registration)
            result.hadDevice = performed.hadDevice
            return .success(Outcome(result: result, deviceID: registration.deviceID))
        } catch {
            return .failure(error)
        }
    }
}

extension Registration {
    /// Throws where another machine's rows may be in the queue: the daemon alone can drop these rows.
    func mustHaveNoRowsOfOthers() throws(ControlError) {
        switch standing {
        case .own, .copied: return
        case .moved, .clearing: break
        }
        throw ControlError(
            .refused,
            "\(Warnable.anotherMachine.text), and no daemon runs that could drop its queue",
            hint: "start the daemon: sudo systemctl start homing. Then give the same command again")
    }
}

extension NetworkState {
    /// The network this machine is on, asked of NetworkManager once.
    @LoopActor static var present: NetworkState {
        get async {
            let bus = Bus(.system, clock: SystemClock())
            bus.open()
            defer { bus.shutdown() }
            return await NetworkManagerProbe(bus: bus).read()
        }
    }
}
