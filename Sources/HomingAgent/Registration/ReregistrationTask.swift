internal import HomeAssistantAPI
internal import HomingConfiguration
internal import HomingControl
internal import HomingHealth
internal import HomingRegistration
internal import HomingRuntime

/// Registers again without being asked (`reregister = auto`).
@LoopActor final class ReregistrationTask {
    private unowned let home: Home
    private var plan = Reregistration()
    private lazy var timer = WakeTimer(home.clock) { [weak self] in self?.woke() }

    init(_ home: Home) { self.home = home }

    /// The warnings, the registration or the configuration changed.
    func consider() { perform(plan.wanted(isPermitted, at: home.clock.now())) }

    func registeredByHand() { plan.registeredByHand() }

    /// Uptime of the next try; `nil` while none is wanted, and while one is under way.
    var nextTry: Seconds? { plan.nextTry }

    func rearm() { timer.rearm() }

    func shutdown() { timer.cancel() }

    private func woke() { perform(plan.timer(at: home.clock.now())) }

    /// Whether Home Assistant no longer takes our messages, and the token may go to it unasked:
    /// over verified TLS or to this machine only, as at this moment nobody behind plain HTTP can
    /// have proved to be Home Assistant.
    private var isPermitted: Bool {
        guard home.configuration.homeAssistant.reregister == .auto,
            let registration = home.keeper.registration,
            let address = WebAddress(registration.instanceURL),
            address.isTLS || address.isLoopback
        else { return false }
        let lost: Set<Warnable> = [.unknownWebhook, .keyRefused, .gone]
        return home.warnings.visible.contains { lost.contains($0.warnable) }
    }

    private func perform(_ effects: [Reregistration.Effect]) {
        for effect in effects {
            switch effect {
            case .register: home.run { [weak self] in await self?.register() }
            case .wake(let at): timer.set(at: at)
            }
        }
    }

    private func register() async {
        let params = ControlCommand.Register(
            url: nil, token: nil, deviceName: nil, again: true, homeNetwork: false,
            allowUnencrypted: home.keeper.registration.map { !$0.isSealed } ?? false,
            allowPlainHTTP: false)
        home.log.notice("registering again, as [home_assistant] reregister = auto says")
        var outcome = Reregistration.Outcome.registered
        do throws(ControlError) { _ = try await home.register(params) } catch {
            home.log.error("registering again failed: \(error.message)")
            let mayMendItself = [.unavailable, .temporary].contains(error.exitCode)
            outcome = mayMendItself ? .unreachable : .refused
        }
        perform(plan.ended(outcome, at: home.clock.now()))
    }
}
