internal import HomeAssistantAPI
internal import HomingConfiguration
internal import HomingControl
internal import HomingCrypto
internal import HomingPush
internal import HomingRegistration
internal import HomingRelayProtocol
internal import HomingRuntime

/// Joining and leaving a relay, as people ask for it.
extension Home {
    /// Seconds that a relay has to revoke a token.
    private static let revocationPatience: Seconds = 8

    /// Joins a relay, keeps what it gives, and tells Home Assistant.
    ///
    /// - Parameter place: where `[push] url` is set for this home.
    func joinRelay(
        _ params: ControlCommand.JoinRelay, place: String?
    ) async throws(ControlError) -> JoinRelayResult {
        guard let registration = keeper.registration else { throw .notRegistered }
        try mustBeOwn()
        guard registration.provesHomeAssistant else { throw .relayWouldBeRead }
        if configuration.push.url != nil { throw .anotherRelay(at: place) }
        let former = relay.membership
        guard let url = params.url ?? former?.joinedURL else { throw .noRelayAddress }
        guard let address = RelayAddress(url) else { throw .badRelayAddress }
        guard address.isConfidential || params.overPlainHTTP else {
            return .unconfirmed(address.host)
        }
        let kept = params.newKey || former?.joinedURL != address.url ? nil : former?.pair
        let pair: KeyPair
        if let known = kept ?? relay.triedPair(at: address.url) {
            pair = known
        } else {
            pair = try Self.newPair()
            relay.tries(pair, at: address.url)
        }
        let joining = RelayJoining(
            client: client, pair: pair, overPlainHTTP: params.overPlainHTTP, clock: clock)
        var new = try await joining.join(params, at: address)
        // Who held the former token could send to a mailbox that nobody reads.
        if let former, kept == nil || former.url != new.url {
            _ = await relay.revoke(within: Self.revocationPatience)
        }
        new.keepKeys(of: relay.membership)
        do throws(SystemError) { try relay.join(new) } catch {
            throw ControlError(
                .failure, "joined, but not stored: \(error)",
                hint: "correct the fault, then give the same command again")
        }
        log.notice("joined the relay \(address.host)")
        var result = JoinRelayResult(new)
        result.keptKey = kept != nil && former?.url == new.url
        result.front?.isAsGiven = params.fingerprint != nil
        result.notTold = await tellOfRelay()
        return result
    }

    private static func newPair() throws(ControlError) -> KeyPair {
        do throws(SecretKeyError) { return try KeyPair() } catch {
            throw ControlError(.failure, "\(error)", hint: "raise LimitMEMLOCK of the service")
        }
    }

    /// Tells Home Assistant which relay there is now. Returns why it was not told.
    private func tellOfRelay() async -> String? {
        guard keeper.registration != nil else { return "there is no registration" }
        do throws(ControlError) {
            _ = try await upkeep.description.sendDescriptionNow(asked: nil)
            return nil
        } catch { return error.message }
    }

    /// Has the token revoked, forgets the relay, and tells Home Assistant.
    func leaveRelay() async throws(ControlError) -> LeaveRelayResult {
        // A file that cannot be read can be deleted.
        if relay.isUnreadable {
            return try await forgetRelay(LeaveRelayResult(host: "?", isRevoked: false))
        }
        guard let membership = relay.membership else { throw .noRelay }
        let host = RelayAddress(membership.url)?.host ?? "?"
        let isRevoked = await relay.revoke(within: Self.revocationPatience)
        return try await forgetRelay(LeaveRelayResult(host: host, isRevoked: isRevoked))
    }

    private func forgetRelay(
        _ done: LeaveRelayResult
    ) async throws(ControlError) -> LeaveRelayResult {
        do throws(SystemError) { try relay.leave() } catch {
            throw ControlError(.failure, "\(error)", hint: "delete it by hand, then try again")
        }
        log.notice("left the relay")
        var result = done
        if configuration.push.url == nil { result.notTold = await tellOfRelay() }
        return result
    }

    /// Another machine has the same mailbox: that machine keeps the mailbox, and the token with it.
    func forgetCopiedRelay() {
        guard relay.membership != nil else { return }
        do throws(SystemError) { try relay.leave() } catch {
            return log.error("the relay of the other machine cannot be forgotten: \(error)")
        }
        log.notice("the relay of the other machine is forgotten: join one by homing relay join")
    }

    // MARK: By itself

    /// The relay does not take the token any more. A relay that takes everybody gives another one; to
    /// any other relay a person has to bring a code. Over plain HTTP anybody on the way could refuse the
    /// token and give one of his own, so there a person has to join again, too. A front stays as it is,
    /// and is told the new token.
    func rejoinRelay() {
        guard let former = relay.membership, let pair = former.pair,
            let address = RelayAddress(former.url), address.isConfidential
        else { return relay.rejoined(.refused) }
        run { [weak self] in
            let outcome = await self?.rejoin(former, pair, address) ?? .done
            self?.relay.rejoined(outcome)
        }
    }

    private func rejoin(
        _ former: RelayMembership, _ pair: KeyPair, _ address: RelayAddress
    ) async -> UpkeepPace.Outcome {
        var new: RelayMembership
        let joining = RelayJoining(client: client, pair: pair, overPlainHTTP: false, clock: clock)
        do throws(ControlError) {
            new = try await joining.rejoin(at: address)
        } catch {
            if error == .isFrontNow { relay.foundFront() }
            return error.exitCode == .unavailable ? .unanswered : .refused
        }
        // Another membership may have come meanwhile, or another token of the front.
        guard let present = relay.membership, present.token == former.token else { return .done }
        guard new.token != former.token else { return .refused }
        new.front = present.front
        new.front?.toldAt = nil
        // Where Home Assistant posts is a person's choice: it stays, or a person joins again.
        guard new.relay.url == former.relay.url else { return .refused }
        do throws(SystemError) { try relay.join(new) } catch { return .unanswered }
        log.notice("joined the relay again, as it did not know this machine any more")
        upkeep.description.consider()
        return .done
    }
}

extension JoinRelayResult {
    /// Makes the answer for plain HTTP to a host that nobody agreed to.
    fileprivate static func unconfirmed(_ host: String) -> JoinRelayResult {
        var result = JoinRelayResult(host: host)
        result.isUnconfirmed = true
        return result
    }

    /// - Parameter new: what was joined.
    fileprivate init(_ new: RelayMembership) {
        self.init(host: RelayAddress(new.url)?.host ?? "?")
        name = new.name
        maximum = new.maximum
        isPlainHTTP = RelayAddress(new.relay.url)?.isConfidential == false
        guard let front = new.front, let fingerprint = front.fingerprint else { return }
        self.front = Front(host: RelayAddress(front.url)?.host ?? "?", fingerprint: fingerprint)
    }
}
