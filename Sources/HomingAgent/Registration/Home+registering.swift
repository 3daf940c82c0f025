internal import HomeAssistantAPI
internal import HomingConfiguration
internal import HomingControl
internal import HomingRegistration
internal import HomingRuntime

/// Registering and forgetting, as people ask for it.
extension Home {
    /// Registers with Home Assistant and starts delivering, as a person asked.
    func registerByHand(
        _ params: ControlCommand.Register
    ) async throws(ControlError) -> RegisterResult {
        let result = try await register(params)
        upkeep.reregistration.registeredByHand()
        return result
    }

    /// Registers with Home Assistant and starts delivering.
    func register(
        _ params: ControlCommand.Register
    ) async throws(ControlError) -> RegisterResult {
        try await keeper.exclusively { () async throws(ControlError) -> RegisterResult in
            let plan = try RegistrationPlan.make(
                params, existing: self.keeper.registration,
                home: self.isFirst ? nil : self.identity, copyIdentity: self.copyIdentity)
            let recordsHome = params.homeNetwork ?? false
            // Not later: a new registration is stored as soon as there is one.
            if recordsHome { await self.waitForNetwork() }
            // Of a copied machine, the relay's mailbox is the other machine's.
            let isRelayAnothers = params.new && self.configuration.push.url == nil
            let performed = try await plan.performRegistration(
                http: self.client, relay: isRelayAnothers ? nil : self.relayChoice().relay,
                machine: self.traits)
            if isRelayAnothers { self.forgetCopiedRelay() }
            var result = try self.registered(performed.registration, recordsHome: recordsHome)
            result.leavesToken = plan.leavesToken(performed.registration)
            result.hadDevice = performed.hadDevice
            return result
        }
    }

    /// Waits until NetworkManager has reported, for five seconds at most: the daemon may have been
    /// started a moment ago, and a network that is not known cannot be stored as the home network.
    private func waitForNetwork() async {
        for _ in 0..<50 where machine.state.network == nil {
            var alarm: (any Alarm)?
            await withCheckedContinuation { go in alarm = clock.once(after: 0.1) { go.resume() } }
            alarm?.cancel()
        }
    }

    /// Works with the new registration, and stores it.
    private func registered(
        _ new: Registration, recordsHome: Bool
    ) throws(ControlError) -> RegisterResult {
        var registration = new
        var home: String?
        if recordsHome, let (network, text) = machine.state.network?.asHomeNetwork {
            if !registration.homeNetworks.contains(network) {
                registration.homeNetworks.append(network)
            }
            home = text
        }
        let failure = Result { () throws(RegistrationError) in try keeper.save(registration) }
        if case .failure(let error) = failure, !registration.isOwn {
            // The other machine's rows stay, and nothing is sent. The next try is for the same device.
            throw ControlError(
                .failure, "registered, but not stored: \(error)",
                hint: "correct the fault, then give the same command again")
        }
        // After it is stored: a kill in between drops the rows at the next start.
        let usable = Result { () throws(ControlError) in try cleared(registration) }
        let present = (try? usable.get()) ?? registration
        // Home Assistant has forgotten the earlier registration already: this one is in use even
        // if it cannot be stored.
        adopt(present)
        if present != registration { keeper.update(present) }
        _ = try usable.get()
        if case .failure(let error) = failure {
            let hint =
                "the registration is in use until the daemon ends: correct the fault, then use --again"
            throw ControlError(.failure, "registered, but not stored: \(error)", hint: hint)
        }
        log.notice("registered as \(registration.deviceName)")
        return RegisterResult(
            deviceName: registration.deviceName, encrypted: registration.isSealed, home: home,
            noEndpoint: delivery.state.noEndpointText)
    }

    /// Forgets the registration; the queue stays for the next one. A token that Homing made for it is
    /// revoked first, if Home Assistant can be reached.
    func unregister() async throws(ControlError) -> UnregisterResult {
        guard keeper.registration != nil || keeper.isBusy else { throw .notRegistered }
        return try await keeper.exclusively { () async throws(ControlError) -> UnregisterResult in
            try self.dropRowsOfOtherMachine()
            let result = await self.upkeep.tokens.end()
            do throws(RegistrationError) { try self.keeper.delete() } catch {
                throw ControlError(.failure, "\(error)")
            }
            // Its connections and buffers hold the token.
            self.renewClient()
            self.adopt(nil)
            log.notice("the registration was forgotten")
            return result
        }
    }
}

extension ControlError {
    /// Refusal of a second registration at a time: Home Assistant forgets the earlier of two.
    static let registering = ControlError(
        .temporary, "this machine is being registered at this moment",
        hint: "see in a moment: homing status")
}
