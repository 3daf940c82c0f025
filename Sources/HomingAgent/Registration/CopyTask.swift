internal import HomeAssistantAPI
internal import HomingConfiguration
internal import HomingControl
internal import HomingCrypto
internal import HomingHealth
internal import HomingMachine
internal import HomingRegistration
internal import HomingRoutes
internal import HomingRuntime

/// Registers a copy of a marked image as a device of its own, by the image's address and token.
@LoopActor final class CopyTask {
    private unowned let home: Home
    private var plan = Reregistration()
    private var wasUnreachable = false
    private lazy var timer = WakeTimer(home.clock) { [weak self] in self?.woke() }

    init(_ home: Home) { self.home = home }

    /// Tries at once where nobody was reached on the network before.
    func networkChanged() {
        if wasUnreachable {
            wasUnreachable = false
            plan.registeredByHand()
        }
        consider()
        perform(plan.timer(at: home.clock.now()))
    }

    /// The registration or the configuration changed.
    func consider() { perform(plan.wanted(isPermitted, at: home.clock.now())) }

    func rearm() { timer.rearm() }

    func shutdown() { timer.cancel() }

    private func woke() { perform(plan.timer(at: home.clock.now())) }

    /// Whether the token may go to the image's address now: over verified TLS, to this machine, or by
    /// the way that is used at home.
    private var isPermitted: Bool {
        guard let registration = home.keeper.registration, registration.standing == .copied,
            let address = WebAddress(registration.instanceURL)
        else { return false }
        if address.isTLS || address.isLoopback { return true }
        let way = WayChooser(registration: registration, home.configuration)
            .way(on: home.machine.state.network ?? .unknown)
        return way.endpoints.contains { $0.kind == .instance }
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
        guard let image = home.keeper.registration, image.standing == .copied else {
            return perform(plan.ended(.registered, at: home.clock.now()))
        }
        let own = await token(by: image)
        let params = ControlCommand.Register(
            url: nil, token: own, tokenIsOwn: own != nil, deviceName: nil, again: false, new: true,
            homeNetwork: false, allowUnencrypted: !image.isSealed,
            allowPlainHTTP: home.configuration.homeAssistant.plainHTTPAway)
        var outcome = Reregistration.Outcome.registered
        do throws(ControlError) { _ = try await home.register(params) } catch {
            home.warnings.set(.imageCopy, true, detail: error.message)
            let mayMendItself = [.unavailable, .temporary].contains(error.exitCode)
            outcome = mayMendItself ? .unreachable : .refused
            if let own { await revoke(own, of: image) }
        }
        wasUnreachable = outcome == .unreachable
        perform(plan.ended(outcome, at: home.clock.now()))
    }

    /// Has Home Assistant make a token for this machine alone, which can be revoked alone; `nil` where Home
    /// Assistant gives no token, and the image's token serves.
    private func token(by image: Registration) async -> String? {
        guard let shared = image.authorization else { return nil }
        let (base, http) = (image.instanceURL, home.client)
        guard
            case .success(let access) = await AccessToken.current(shared, base: base, http: http)
        else { return nil }
        let name = MachineDescription.read().name
        return await LongLivedToken.request(
            base: base, accessToken: access, name: "Homing on \(name) \(RandomToken.hex(bytes: 3))",
            http: http)
    }

    private func revoke(_ token: String, of image: Registration) async {
        _ = await TokenRevocation.revoke(
            Registration.Authorization(kind: .longLived, token: token), base: image.instanceURL,
            http: home.client)
    }
}
