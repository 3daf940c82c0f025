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
    private lazy var retry = RegistrationRetry(home) {
        [weak self] () async throws(ControlError) in try await self?.register()
    }

    init(_ home: Home) { self.home = home }

    /// The registration or the configuration changed.
    func consider() { retry.want(isPermitted) }

    func networkChanged() {
        consider()
        retry.networkChanged()
    }

    func rearm() { retry.rearm() }

    func shutdown() { retry.shutdown() }

    /// Whether the token may go to the image's address now: over verified TLS, to this machine, or by
    /// the route that is used at home.
    private var isPermitted: Bool {
        guard let registration = home.keeper.registration, registration.standing == .copied,
            let address = WebAddress(registration.instanceURL)
        else { return false }
        if address.isTLS || address.isLoopback { return true }
        let route = RouteChooser(registration: registration, home.configuration)
            .route(on: home.machine.state.network ?? .unknown)
        return route.endpoints.contains { $0.kind == .instance }
    }

    private func register() async throws(ControlError) {
        guard let image = home.keeper.registration, image.standing == .copied else { return }
        let title = "Homing on \(MachineDescription.read().name) \(RandomToken.hex(bytes: 3))"
        let own = await token(by: image, title: title)
        let params = ControlCommand.Register(
            url: nil, token: own, tokenIsOwn: own != nil, tokenTitle: title, deviceName: nil,
            again: false, new: true,
            homeNetwork: false, allowUnencrypted: !image.isSealed,
            allowPlainHTTP: home.configuration.homeAssistant.plainHTTPAway)
        do throws(ControlError) { _ = try await home.register(params) } catch {
            // The daemon uses the new registration, though the disk did not take it.
            if home.keeper.registration?.isOwn == true {
                return home.log.error("\(error.message)")
            }
            home.warnings.set(.imageCopy, true, detail: error.message)
            if let own { await revoke(own, of: image) }
            throw error
        }
    }

    /// Has Home Assistant make a token for this machine alone, which can be revoked alone; `nil` where Home
    /// Assistant gives no token, and the image's token serves.
    private func token(by image: Registration, title: String) async -> String? {
        guard let shared = image.authorization else { return nil }
        let (base, http) = (image.instanceURL, home.client)
        guard
            case .success(let access) = await AccessToken.current(shared, base: base, http: http)
        else { return nil }
        return await LongLivedToken.request(
            base: base, accessToken: access, name: title, http: http)
    }

    private func revoke(_ token: String, of image: Registration) async {
        _ = await TokenRevocation.revoke(
            Registration.Authorization(kind: .longLived, token: token), base: image.instanceURL,
            http: home.client)
    }
}
