internal import HomeAssistantAPI
internal import HomingControl
internal import HomingHealth
internal import HomingPush
internal import HomingRegistration
internal import HomingRuntime

/// Revokes the tokens that Homing made in Home Assistant and that are not used any more.
@LoopActor final class TokenTask {
    /// Seconds between two tries to revoke a token of before.
    private static let pause: Seconds = 3600

    private unowned let home: Home
    /// Uptime from which tokens of before are revoked.
    private var notBefore: Seconds = 0

    init(_ home: Home) { self.home = home }

    func forget() { notBefore = 0 }

    /// Revokes the tokens that Homing made, before the registration is forgotten.
    func end() async -> UnregisterResult {
        let own = home.keeper.registration?.ownTokens ?? []
        let name = home.keeper.registration?.deviceName
        func result(
            _ token: UnregisterResult.Token, _ reason: String? = nil
        ) -> UnregisterResult {
            UnregisterResult(
                token, reason: reason, deviceName: name,
                tokenTitle: home.keeper.registration?.ownTokenTitles,
                isUnknown: home.delivery.state.isUnknown ? true : nil)
        }
        guard !own.isEmpty else { return result(.given) }
        if home.keeper.registration?.isOwn == false { return UnregisterResult(.shared) }
        guard !home.mayBeShared else {
            return result(.left, "another machine may use this registration")
        }
        guard let base = await home.push.base() else {
            return result(
                .left,
                home.delivery.state.isUnknown
                    ? TokenPermission.textWithoutReceipt
                    : "Home Assistant cannot be reached at an address that may get the token")
        }
        return await TokenRevocation.revoke(all: own, base: base, http: home.client)
            ? result(.revoked) : result(.left, TokenRevocation.failureText)
    }

    /// Something changed: revokes the tokens of before, once the present registration has given a
    /// receipt.
    func consider() {
        let now = home.clock.now()
        guard home.keeper.hasRetiredTokens, !home.keeper.isBusy, now.uptime >= notBefore,
            !home.mayBeShared, home.delivery.state.hasReceipt,
            let retired = home.keeper.registration?.retired
        else { return }
        notBefore = now.uptime + Self.pause
        home.run { [weak self] in await self?.revoke(retired) }
    }

    private func revoke(_ retired: [Registration.Authorization]) async {
        guard let asked = home.keeper.registration else { return }
        var left = retired
        if let base = await home.push.base() {
            for authorization in retired
            where await TokenRevocation.revoke(authorization, base: base, http: home.client) {
                left.removeAll { $0 == authorization }
            }
        }
        guard var updated = home.keeper.same(as: asked) else { return }
        home.warnings.set(.tokenLeft, !left.isEmpty)
        guard left.count < retired.count else { return }
        updated.retired = left.isEmpty ? nil : left
        home.keeper.update(updated)
        home.log.notice("a token that Homing made before was revoked in Home Assistant")
    }
}
