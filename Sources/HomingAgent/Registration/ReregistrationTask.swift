internal import HomeAssistantAPI
internal import HomingConfiguration
internal import HomingControl
internal import HomingHealth
internal import HomingRegistration
internal import HomingRuntime

/// Registers again without being asked (`reregister = auto`).
@LoopActor final class ReregistrationTask {
    private unowned let home: Home
    private lazy var retry = RegistrationRetry(home) {
        [weak self] () async throws(ControlError) in try await self?.register()
    }

    init(_ home: Home) { self.home = home }

    /// The warnings, the registration or the configuration changed.
    func consider() { retry.want(isPermitted) }

    func registeredByHand() { retry.registeredByHand() }

    /// Uptime of the next try; `nil` while none is wanted, and while one is under way.
    var nextTry: Seconds? { retry.nextTry }

    func rearm() { retry.rearm() }

    func shutdown() { retry.shutdown() }

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

    private func register() async throws(ControlError) {
        let params = ControlCommand.Register(
            url: nil, token: nil, deviceName: nil, again: true, homeNetwork: false,
            allowUnencrypted: home.keeper.registration.map { !$0.isSealed } ?? false,
            allowPlainHTTP: false)
        home.log.notice("registering again, as [home_assistant] reregister = auto says")
        do throws(ControlError) { _ = try await home.register(params) } catch {
            home.log.error("registering again failed: \(error.message)")
            throw error
        }
    }
}
