internal import HomeAssistantAPI
internal import HomingBase
internal import HomingConfiguration
internal import HomingControl
internal import HomingHealth
internal import HomingPush
internal import HomingRegistration
internal import HomingRuntime
internal import HomingSocket

/// Telling Home Assistant what this machine is: its name, maker and model, its system, our version;
/// and the relay for its notifications.
extension Agent {
    /// Names that a machine has before it has one.
    private static let namesOfNone = ["localhost", "(none)", "linux"]

    /// Home Assistant has just answered: tells it by itself, if there is something new to tell.
    func considerTelling() {
        guard let registration, !isRegistering else { return }
        let hasNews =
            machineReport(registration) != registration.told || isRelayNew(registration)
        guard hasNews, telling.begin(at: clock.now()) else { return }
        spawn { [weak self] in await self?.tellByItself() }
    }

    private func tellByItself() async {
        let result = await tell(nil)
        var wasRefused = false
        if case .failure(let error) = result {
            wasRefused = error.exitCode == .refused
            Log.warning("Home Assistant was not told what this machine is now: \(error.message)")
        } else {
            Log.info("Home Assistant was told what this machine is now")
        }
        telling.ended(
            told: (try? result.get()) != nil, wasRefused: wasRefused, at: clock.now())
    }

    /// Tells it because a person asked.
    ///
    /// - Parameter name: the device's name from now on; `nil` keeps what it has.
    func updateRegistration(name: String?) async -> Result<RegistrationReport, ControlError> {
        if let name, !(1...255).contains(name.unicodeScalars.count) {
            return .failure(ControlError(.usage, "a device's name has 1 to 255 characters"))
        }
        guard !isRegistering else { return .failure(.registering) }
        return await tell(name)
    }

    private func tell(_ name: String?) async -> Result<RegistrationReport, ControlError> {
        guard let asked = registration else { return .failure(.notRegistered) }
        let report = machineReport(asked, name: name)
        let relay = relay(for: asked)
        let update = RegistrationUpdate(report, relay: relay, mark: mark.told)
        let answer = await ask(.updateRegistration(update)) { _ in
            ControlError(
                .refused, "Home Assistant did not take the new description of this machine",
                hint: "Home Assistant's log says why")
        }
        if case .failure(let error) = answer { return .failure(error) }
        // Another may have been made, or a secret given, while we waited.
        guard var updated = registration, updated.webhookID == asked.webhookID else {
            return .failure(.registering)
        }
        updated.told = report
        updated.toldRelay = relay?.fingerprint
        updated.deviceName = report.deviceName
        if name != nil { updated.nameIsChosen = true }
        registration = updated
        save(updated)
        return .success(RegistrationReport(updated))
    }

    // MARK: The relay

    /// The relay that `[push]` names now; if it cannot be told, that is raised.
    func relayChoice() -> RelayChoice {
        let choice = RelayChoice.read(configuration.push)
        pipeline.raise(.pushRelayNoToken, choice.problem != nil, detail: choice.problem)
        return choice
    }

    /// What this Home Assistant may be told: its messages to a registration without a secret, and
    /// ours, could be read on the way; so could those under a secret that came over plain HTTP.
    func relay(for registration: Registration) -> PushRelay? {
        registration.provesHomeAssistant ? relayChoice().relay : nil
    }

    /// A token that cannot be read now is not taken back from Home Assistant.
    private func isRelayNew(_ registration: Registration) -> Bool {
        guard relayChoice().problem == nil else { return false }
        return relay(for: registration)?.fingerprint != registration.toldRelay
    }

    /// What there is to tell now.
    func machineReport(_ registration: Registration, name: String? = nil) -> MachineReport {
        var device = MachineDescription.read(
            name: name ?? (registration.nameIsChosen == false ? nil : registration.deviceName),
            id: registration.deviceID)
        if name == nil, Self.namesOfNone.contains(device.name) {
            device.name = registration.deviceName
        }
        return MachineReport(appVersion: homingVersion, device: device)
    }
}
