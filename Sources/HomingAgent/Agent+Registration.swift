internal import HomeAssistantAPI
internal import HomingConfiguration
internal import HomingControl
internal import HomingCrypto
internal import HomingDelivery
internal import HomingHTTP
internal import HomingHealth
internal import HomingMachine
internal import HomingPush
internal import HomingRegistration
internal import HomingRoutes
internal import HomingRuntime

/// Registering, forgetting, and keeping what Home Assistant tells of itself.
extension Agent {
    /// Works with this registration from now on.
    func adopt(_ registration: Registration?) {
        if registration?.webhookID != self.registration?.webhookID {
            pipeline.forget()
            encryption = EncryptionUpgrade()
            telling = MachineTelling()
            mark = ChannelMark(text: RandomToken.hex(bytes: 8))
            revokesFrom = 0
            pipeline.raise(.tokenLeft, false)
        }
        self.registration = registration
        pipeline.transport?.cancel()
        if registration == nil { pipeline.raise(.registrationUnusable, false) }
        pipeline.transport = registration.flatMap(makeTransport)
        pipeline.transport?.describeSensor = { [weak self] in self?.sensors.registration(of: $0) }
        (pipeline.transport as? WebhookTransport)?.socket = push.carrier
        sensors.adopt(webhookID: registration?.webhookID)
        push.adopt(registration, over: http)
        pipeline.chooser = registration.map { WayChooser(registration: $0, configuration) }
        pipeline.raise(.notRegistered, registration == nil)
        pipeline.raise(.unencrypted, registration.map { !$0.isSealed } ?? false)
        pipeline.raise(.secretUnproven, registration?.secretOverPlainHTTP == true)
        _ = relayChoice()
        pipeline.updateWay(networkChanged: true)
    }

    /// `nil` if the secret is missing or no key: nothing would be sealed, so nothing is sent.
    private func makeTransport(_ registration: Registration) -> (any Transport)? {
        guard !registration.lacksSecret else {
            pipeline.raise(.registrationUnusable, true, detail: Registration.lacksSecretText)
            return nil
        }
        do throws(SecretKeyError) {
            let transport = try surroundings.transport(http, registration, outbox.databaseID)
            pipeline.raise(.registrationUnusable, false)
            return transport
        } catch {
            pipeline.raise(.registrationUnusable, true, detail: "\(error)")
            return nil
        }
    }

    /// Home Assistant was asked for its configuration because a person wanted to see it: whoever
    /// has just enabled a sensor there need not wait until we ask by ourselves.
    func learn(_ content: [UInt8]) {
        // While it starts, the cloud may not be there yet.
        guard let facts = ReplyReader.configuration(content), facts.trackerLoaded else { return }
        pipeline.perform(.learned(facts))
    }

    /// Home Assistant told its URLs: keeps what is new.
    func learned(_ facts: HomeAssistantFacts) {
        homeAssistantAnswered()
        sensors.setDisabled(facts.disabledSensors)
        if let known = facts.knownSensors { sensors.setKnown(known) }
        // Without a secret that only Home Assistant knows, another host could have sent this answer.
        guard var updated = registration, updated.provesHomeAssistant else { return }
        updated.cloudhookURL = facts.cloudhookURL
        updated.remoteUIURL = facts.remoteUIURL
        guard updated != registration else {
            if !isRegistrationStored { save(updated) }
            return
        }
        registration = updated
        pipeline.chooser = WayChooser(registration: updated, configuration)
        save(updated)
        pipeline.updateWay(networkChanged: false)
    }

    func save(_ registration: Registration) {
        do throws(RegistrationError) { try store(registration) } catch {
            Log.error("the registration cannot be stored: \(error)")
        }
    }

    /// What cannot be stored now is tried again when Home Assistant tells its URLs the next time.
    func store(_ registration: Registration) throws(RegistrationError) {
        isRegistrationStored = false
        try registrations.save(registration)
        isRegistrationStored = true
    }

    /// Registers with Home Assistant and starts delivering.
    func register(
        _ params: ControlCommand.Register
    ) async -> Result<RegisterResult, ControlError> {
        guard !isRegistering else { return .failure(.registering) }
        isRegistering = true
        defer { isRegistering = false }
        switch RegistrationPlan.make(params, existing: registration) {
        case .failure(let error): return .failure(error)
        case .success(let plan):
            // Not later: a new registration is stored as soon as there is one.
            if !params.noHome { await waitForNetwork() }
            switch await plan.carryOut(http: http, relay: relayChoice().relay) {
            case .failure(let error): return .failure(error)
            case .success(let registration):
                return registered(
                    registration, recordsHome: !params.noHome,
                    leavesToken: plan.leavesToken(registration))
            }
        }
    }

    /// Waits until NetworkManager has reported, for five seconds at most: the daemon may have been
    /// started a moment ago, and a network that is not known cannot be stored as the home network.
    private func waitForNetwork() async {
        for _ in 0..<50 where pipeline.settler.believed == nil { await Watch.pause(0.1) }
    }

    /// Works with the new registration, and stores it.
    private func registered(
        _ new: Registration, recordsHome: Bool, leavesToken: Bool
    ) -> Result<RegisterResult, ControlError> {
        var registration = new
        var home: String?
        if recordsHome, let (network, text) = currentNetwork() {
            if !registration.homeNetworks.contains(network) {
                registration.homeNetworks.append(network)
            }
            home = text
        }
        let failure = Result { () throws(RegistrationError) in try store(registration) }
        // Home Assistant has forgotten the earlier registration already: this one is in use even
        // if it cannot be stored.
        adopt(registration)
        if case .failure(let error) = failure {
            let hint = "it is in use until the daemon ends; mend this, then use --again"
            return .failure(
                ControlError(.failure, "registered, but not stored: \(error)", hint: hint))
        }
        Log.notice("registered as \(registration.deviceName)")
        var result = RegisterResult(
            deviceName: registration.deviceName, encrypted: registration.isSealed, home: home,
            noWay: pipeline.noWayText)
        result.leavesToken = leavesToken
        return .success(result)
    }

    /// The present network as a home network, and its name for people.
    private func currentNetwork() -> (Registration.HomeNetwork, String)? {
        guard case .known(let network)? = pipeline.settler.believed else { return nil }
        switch network.primary {
        case .wifi(let ssid?, _): return (Registration.HomeNetwork(ssid: ssid), ssid)
        case .wired(let id, let uuid): return (Registration.HomeNetwork(connection: uuid), id)
        case .other(let type, let id, let uuid) where PrimaryConnection.cableTypes.contains(type):
            return (Registration.HomeNetwork(connection: uuid), id)
        case .wifi(nil, _), .other, nil: return nil
        }
    }
}

extension TLSOptions {
    init(_ configuration: Configuration) {
        let section = configuration.homeAssistant
        self.init(
            caFile: section.caFile, clientCertificate: section.clientCertificate,
            clientKey: section.clientKey)
    }
}
