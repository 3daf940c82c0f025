internal import HomeAssistantAPI
internal import HomingControl
internal import HomingRegistration
internal import HomingRuntime

/// Tells Home Assistant what this machine is: its name, maker and model, its system, our version; and
/// the relay for its notifications.
@LoopActor final class DescriptionTask {
    private unowned let home: Home
    private var pace = UpkeepPace()

    init(_ home: Home) { self.home = home }

    func forget() { pace = UpkeepPace() }

    /// Home Assistant has just answered: tells it by itself, if there is something new to tell.
    func consider() {
        guard let registration = home.keeper.registration, !home.keeper.isBusy else { return }
        let hasNews =
            MachineReport(of: registration) != registration.told || isRelayNew(registration)
        guard hasNews, pace.begin(at: home.clock.now()) else { return }
        home.run { [weak self] in await self?.tellByItself() }
    }

    private func tellByItself() async {
        var outcome = UpkeepPace.Outcome.done
        do throws(ControlError) {
            _ = try await sendDescription(nil)
            home.log.info("updated the registration in Home Assistant")
        } catch {
            outcome = error.exitCode == .refused ? .refused : .unanswered
            home.log.warning(
                "cannot update the registration in Home Assistant: \(error.message)")
        }
        pace.ended(outcome, at: home.clock.now())
    }

    /// Tells it because a person asked.
    ///
    /// - Parameter name: the device's name from now on; `nil` keeps what it has.
    func sendDescriptionNow(asked name: String?) async throws(ControlError) -> RegistrationReport {
        guard !home.keeper.isBusy else { throw .registering }
        return try await sendDescription(name)
    }

    private func sendDescription(_ name: String?) async throws(ControlError) -> RegistrationReport {
        guard let asked = home.keeper.registration else { throw .notRegistered }
        let report = MachineReport(of: asked, name: name)
        let relay = home.relay(for: asked)
        let update = RegistrationUpdate(report, relay: relay, mark: home.upkeep.mark.told)
        let refusal = ControlError(
            .refused, "Home Assistant did not take the new description of this machine",
            hint: "Home Assistant's log says why")
        _ = try await home.sendDirectCommand(.updateRegistration(update), refusal: refusal)
        // Another may have been made, or a secret given, while we waited.
        guard var updated = home.keeper.same(as: asked) else { throw .registering }
        updated.told = report
        updated.toldRelay = relay?.fingerprint
        updated.deviceName = report.deviceName
        if name != nil { updated.nameIsChosen = true }
        home.keeper.update(updated)
        return RegistrationReport(updated)
    }

    /// A token that cannot be read now is not taken back from Home Assistant.
    private func isRelayNew(_ registration: Registration) -> Bool {
        guard home.relayChoice().problem == nil else { return false }
        return home.relay(for: registration)?.fingerprint != registration.toldRelay
    }
}

extension Home {
    /// Returns the relay that this Home Assistant may be told. Home Assistant's messages to a
    /// registration without a secret, and ours, could be read on the way. So could those under a
    /// secret that came over plain HTTP.
    func relay(for registration: Registration) -> PushRelay? {
        registration.provesHomeAssistant ? relayChoice().relay : nil
    }
}

extension MachineReport {
    /// Names that a machine has before it has one.
    private static let namesOfNone = ["localhost", "(none)", "linux"]

    /// Collects the facts to tell now.
    init(of registration: Registration, name: String? = nil) {
        var device = MachineDescription.read(
            name: name ?? (registration.nameIsChosen == false ? nil : registration.deviceName),
            id: registration.deviceID)
        if name == nil, Self.namesOfNone.contains(device.name) {
            device.name = registration.deviceName
        }
        self.init(appVersion: homingVersion, device: device)
    }
}
