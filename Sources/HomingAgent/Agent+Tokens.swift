internal import HomeAssistantAPI
internal import HomingBase
internal import HomingControl
internal import HomingDelivery
internal import HomingHealth
internal import HomingRegistration
internal import HomingRoutes
internal import HomingRuntime

/// The tokens that Homing made in Home Assistant, and their end.
extension Agent {
    /// Seconds between two tries to revoke a token of before.
    private static let revocationPause: Seconds = 3600

    /// Forgets the registration; the queue stays for the next one. A token that Homing made for it is
    /// revoked first, if Home Assistant can be reached.
    func unregister() async -> Result<UnregisterResult, ControlError> {
        guard !isRegistering else { return .failure(.registering) }
        guard registration != nil else { return .failure(.notRegistered) }
        isRegistering = true
        defer { isRegistering = false }
        let result = await endToken()
        do throws(RegistrationError) { try registrations.delete() } catch {
            return .failure(ControlError(.failure, "\(error)"))
        }
        // Its connections and buffers hold the token.
        renewClient()
        adopt(nil)
        Log.notice("the registration was forgotten")
        return .success(result)
    }

    private func endToken() async -> UnregisterResult {
        let own =
            (registration?.retired ?? [])
            + [registration?.authorization].compactMap { $0 }
            .filter { $0.isOwn == true }
        guard !own.isEmpty else { return UnregisterResult(.given) }
        guard !mayBeShared else {
            return UnregisterResult(.left, reason: "another machine may use this registration")
        }
        guard let base = await push.gate?.base() else {
            return UnregisterResult(.left, reason: "Home Assistant is not reached as it must be")
        }
        var isDone = true
        for authorization in own {
            isDone = await TokenRevocation.revoke(authorization, base: base, http: http) && isDone
        }
        return isDone
            ? UnregisterResult(.revoked)
            : UnregisterResult(.left, reason: "Home Assistant did not do it")
    }

    /// Whether another machine may have this registration, and its token.
    private var mayBeShared: Bool {
        pipeline.twins.isSuspected(at: clock.now())
            || pipeline.health.isRaised(.registrationShared)
    }

    /// Something changed: revokes the tokens of before, once the present registration has given a
    /// receipt.
    func considerRevoking() {
        let now = clock.now()
        guard let retired = registration?.retired, !retired.isEmpty, !isRegistering,
            now.uptime >= revokesFrom, !mayBeShared,
            pipeline.courier.health.values.contains(where: { $0.lastReceipt != nil })
        else { return }
        revokesFrom = now.uptime + Self.revocationPause
        spawn { [weak self] in await self?.revoke(retired) }
    }

    private func revoke(_ retired: [Registration.Authorization]) async {
        let asked = registration?.webhookID
        var left = retired
        if let base = await push.gate?.base() {
            for authorization in retired
            where await TokenRevocation.revoke(authorization, base: base, http: http) {
                left.removeAll { $0 == authorization }
            }
        }
        guard var updated = registration, updated.webhookID == asked else { return }
        pipeline.raise(.tokenLeft, !left.isEmpty)
        guard left.count < retired.count else { return }
        updated.retired = left.isEmpty ? nil : left
        registration = updated
        save(updated)
        Log.notice("a token that Homing made before was revoked in Home Assistant")
    }
}

extension TokenGate {
    /// Where the token may go now, after a receipt if need be; `nil` if nowhere.
    func base() async -> String? {
        await withCheckedContinuation { continuation in
            access { continuation.resume(returning: $0?.base) }
        }
    }
}
