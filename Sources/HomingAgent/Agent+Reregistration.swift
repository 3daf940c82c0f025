internal import HomeAssistantAPI
internal import HomingBase
internal import HomingConfiguration
internal import HomingControl
internal import HomingHealth
internal import HomingRegistration
internal import HomingRuntime
internal import HomingSocket

/// Registering again without being asked (`reregister = auto`).
extension Agent {
    /// The warnings, the registration or the configuration changed.
    func considerReregistering() {
        perform(reregistration.wanted(mayReregister, at: clock.now()))
    }

    func reregistrationWoke() { perform(reregistration.timer(at: clock.now())) }

    /// Whether Home Assistant no longer takes our messages, and the token may go to it unasked:
    /// over verified TLS or to this machine only, as at this moment nobody behind plain HTTP can
    /// have proved to be Home Assistant.
    private var mayReregister: Bool {
        guard configuration.homeAssistant.reregister == .auto, let registration,
            let address = WebAddress(registration.instanceURL),
            address.isTLS || address.isLoopback
        else { return false }
        let lost: Set<Warnable> = [.unknownWebhook, .keyRefused, .gone]
        return pipeline.health.visible.contains { lost.contains($0.warnable) }
    }

    private func perform(_ effects: [Reregistration.Effect]) {
        for effect in effects {
            switch effect {
            case .register: spawn { [weak self] in await self?.reregister() }
            case .wake(let at): reregistrationTimer.set(at: at)
            }
        }
    }

    private func reregister() async {
        let params = ControlCommand.Register(
            url: nil, token: nil, deviceName: nil, again: true, noHome: true,
            allowUnencrypted: registration.map { !$0.isSealed } ?? false,
            allowPlainHTTP: false)
        Log.notice("registering again, as [home_assistant] reregister = auto says")
        let outcome: Reregistration.Outcome
        switch await register(params) {
        case .success: outcome = .registered
        case .failure(let error):
            Log.error("registering again failed: \(error.message)")
            let mayMendItself = [.unavailable, .temporary].contains(error.exitCode)
            outcome = mayMendItself ? .unreachable : .refused
        }
        perform(reregistration.ended(outcome, at: clock.now()))
    }
}

extension ControlError {
    /// One at a time: Home Assistant forgets the earlier of two.
    static let registering = ControlError(
        .temporary, "this machine is being registered at this moment",
        hint: "see in a moment: homing status")
}
