internal import HomingBase
internal import HomingControl
internal import HomingCrypto
internal import HomingHTTP
internal import HomingPush
internal import HomingRegistration
internal import HomingRelayProtocol
internal import HomingRuntime

/// The requests by which a machine joins a relay. If that is a front, the machine joins the far relay too,
/// with the same key pair, and tells the front.
@LoopActor struct RelayJoining {
    /// Answer and grant of a relay, and the relay's address.
    private typealias Entry = (answer: JoinAnswer, grant: Grant, address: RelayAddress)

    let client: HTTPClient
    let pair: KeyPair
    let overPlainHTTP: Bool
    let clock: any Clockwork

    /// Joins the relay that a person named. Nothing is kept.
    func join(
        _ params: ControlCommand.JoinRelay, at address: RelayAddress
    ) async throws(ControlError) -> RelayMembership {
        if let given = params.fingerprint, !VerifyKey.isFingerprint(given) { throw .noFingerprint }
        let entry = try await enter(address, code: params.code, as: .relay)
        try checkPosts(of: entry)
        guard let offer = entry.answer.front else {
            guard params.fingerprint == nil, params.farCode == nil else {
                throw .noFront(at: address.host)
            }
            return RelayMembership(entry.answer, entry.grant, of: pair, at: address.url)
        }
        guard entry.answer.isSigned(for: pair.publicKey), let far = RelayAddress(offer.url) else {
            throw .answerOfAnother(at: address.host, .relay)
        }
        if let given = params.fingerprint, !offer.key.hasFingerprint(given) {
            throw .otherFront(offer.key.fingerprint)
        }
        // A person agreed to plain HTTP to the front alone, and a front elsewhere names no service here.
        guard address.mayReceive(at: far) else { throw .farElsewhere(far.host) }
        let front = RelayFront(entry.answer, entry.grant, key: offer.key, at: address.url)
        return try await join(far, code: params.farCode, behind: front, address.host)
    }

    private func join(
        _ address: RelayAddress, code: String?, behind front: RelayFront, _ host: String
    ) async throws(ControlError) -> RelayMembership {
        let far = try await enter(address, code: code, as: .farRelay)
        guard far.answer.front == nil else { throw .frontBehindFront(at: address.host) }
        var new = RelayMembership(far.answer, far.grant, of: pair, at: address.url)
        new.front = front
        let request = ForwardRequest(pushToken: front.token, farToken: new.token)
        switch await RelayClient(over: client).forward(request, at: front.url) {
        case .failure(let failure): throw ControlError(failure, at: host, of: .front)
        case .success(let renewal):
            if let renewal, let opener = RelayLink.Mailbox(new)?.front?.opener,
                let grant = try? opener.renewal(renewal)
            {
                new.front?.adoptFrontGrant(grant)
            }
        }
        new.front?.toldAt = clock.now().unixTime
        return new
    }

    /// Joins a relay again, without a code. A front stays as it is: who joins one compares its key.
    func rejoin(at address: RelayAddress) async throws(ControlError) -> RelayMembership {
        let entry = try await enter(address, code: nil, as: .relay)
        guard entry.answer.front == nil else { throw .isFrontNow }
        return RelayMembership(entry.answer, entry.grant, of: pair, at: address.url)
    }

    private func enter(
        _ address: RelayAddress, code: String?, as role: RelayRole
    ) async throws(ControlError) -> Entry {
        let request = JoinRequest(publicKey: pair.publicKey, code: code)
        let answer: JoinAnswer
        switch await RelayClient(over: client).join(request, at: address.url) {
        case .success(let joined): answer = joined
        case .failure(let failure): throw ControlError(failure, at: address.host, of: role)
        }
        guard let grant = try? ParcelOpener(pair: pair).grant(answer.sealed),
            answer.pushURL.holds("://"), RelayAddress(answer.pushURL) != nil
        else { throw .answerOfAnother(at: address.host, role) }
        return (answer, grant, address)
    }

    /// Agreed to is the way to the relay's own address, as a person typed it.
    private func checkPosts(of entry: Entry) throws(ControlError) {
        if !overPlainHTTP, let posts = RelayAddress(entry.answer.pushURL),
            !entry.address.mayReceive(at: posts)
        {
            throw .postsElsewhere(to: posts.host)
        }
    }
}
