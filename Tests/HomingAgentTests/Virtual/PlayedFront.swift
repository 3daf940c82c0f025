import HomingCrypto
import HomingJSON
import HomingRelayProtocol
import HomingRuntime

/// A front on a port of this machine, with the real seals and signatures. What it forwards gets to the
/// far relay at once.
final class PlayedFront: PlayedSockets {
    let far: PlayedRelay
    /// The code of an invitation, which is good once; its last user may repeat it. `nil` lets everybody in.
    var code: String?
    /// Status of the answer to every request, in place of what it asks for.
    var status: Int?
    /// Address in place of the far relay's address.
    var farURL: String?
    /// Offer in place of the offer that belongs to the device.
    var otherOffer: FrontOffer?
    /// Push URL that somebody on the way writes into the answer.
    var otherPushURL: String?
    /// Refusal in place of the answer to a device that tells its far token.
    var refusal: RelayRefusal?
    /// The generation that a token needs: one of an earlier generation is revoked.
    var generation: UInt16 = 0
    /// Renewal in place of the grant of another token.
    var otherRenewal: [UInt8]?
    private(set) var joins = 0
    /// Number of times that a device told its far token.
    private(set) var tellings = 0
    private(set) var posts = 0
    /// The far tokens by mailbox.
    private(set) var farTokens: [MailboxID: PushToken] = [:]
    private var ring: TokenRing
    private var sealer: ParcelSealer
    private var ids = MessageIDs()
    private var lastUser: PublicKey?

    /// - Parameter ring: the keys of a relay that becomes a front.
    init(_ far: PlayedRelay, ring: TokenRing? = nil) throws {
        self.far = far
        self.ring = try ring ?? TokenRing.random()
        sealer = ParcelSealer(ring: self.ring)
        try super.init()
    }

    var fingerprint: String { ring.signingKey.verifyKey.fingerprint }

    /// The keys are replaced; those of before are still good, and the signing key stays.
    func rotate() throws {
        ring = try ring.rotated()
        sealer = ParcelSealer(ring: ring)
    }

    // MARK: Messages

    /// A box around a content of the front's own, or around what an impostor makes.
    func box(
        _ content: Parcel.Content, for token: PushToken, in mailbox: MailboxID? = nil,
        signedWith key: SigningKey? = nil
    ) throws -> FrontBox {
        let id = ids.next(at: far.time)
        let parcel = Parcel(
            id: id, mailbox: token.mailbox, arrived: 0, expires: 1, content: content)
        return FrontBox(
            try sealer.seal(parcel, for: token, at: 0), in: mailbox ?? token.mailbox,
            signedWith: key ?? ring.signingKey)
    }

    /// Forwards a body of Home Assistant's for the device with this token, that came `age` seconds ago.
    func forward(_ body: String, for token: String, age: Seconds = 0) {
        guard let token = PushToken(token) else { return }
        forward(.push(Array(body.utf8)), for: token, age: age)
    }

    func forward(_ content: Parcel.Content, for token: PushToken, age: Seconds = 0) {
        guard let target = farTokens[token.mailbox], let box = try? box(content, for: token) else {
            return
        }
        far.store(.forwarded(box), for: target, age: age)
    }

    // MARK: HTTP

    override func asked(_ request: Request, by client: Int32) {
        if let status { return answer(client, status) }
        let answer: RelayAnswer =
            switch (request.method, request.path) {
            case ("POST", RelayPath.join): joined(request.body)
            case ("POST", RelayPath.forward): answer(toForwarded: request.body)
            case ("POST", RelayPath.push): pushed(request.body)
            case ("POST", RelayPath.check): checked(request.body)
            case ("GET", RelayPath.mailbox): .refused(.isFront)
            default: .refused(.notFound)
            }
        self.answer(client, answer.status, answer.body)
    }

    private func joined(_ body: [UInt8]) -> RelayAnswer {
        joins += 1
        guard let request = try? JoinRequest(body: body) else { return .refused(.badKey) }
        if let code {
            guard request.code != nil else { return .refused(.codeNeeded) }
            guard request.code == code, lastUser == nil || lastUser == request.publicKey else {
                return .refused(.codeWrong)
            }
            lastUser = request.publicKey
        }
        guard let token = ring.token(for: request.publicKey, generation: 0),
            let grant = try? sealer.grant(token, at: 0)
        else { return .refused(.badKey) }
        let pushURL = url + RelayPath.push
        let offer = FrontOffer(
            url: farURL ?? far.url, for: request.publicKey, pushURL: pushURL, sealed: grant,
            signedWith: ring.signingKey)
        return .joined(
            JoinAnswer(
                sealed: grant, maximum: 0, name: nil, pushURL: otherPushURL ?? pushURL,
                front: otherOffer ?? offer))
    }

    private func answer(toForwarded body: [UInt8]) -> RelayAnswer {
        tellings += 1
        if let refusal { return .refused(refusal) }
        guard let request = try? ForwardRequest(body: body),
            let token = own(request.pushToken)
        else { return .refused(.badToken) }
        guard let target = PushToken(request.farToken), far.takes(target),
            target.mailbox == token.mailbox
        else { return .refused(.farTokenWrong) }
        farTokens[token.mailbox] = target
        var renewal: [UInt8]?
        if ring.isOld(token) || token.generation < generation,
            let next = ring.token(for: token.publicKey, generation: generation)
        {
            renewal = try? sealer.renewal(of: token, by: next, at: 0)
        }
        return .forwards(renewal: otherRenewal ?? renewal)
    }

    private func checked(_ body: [UInt8]) -> RelayAnswer {
        guard let request = try? PushRequest(body: body), let token = own(request.token) else {
            return .refused(.badToken)
        }
        guard token.generation >= generation else { return .refused(.revoked) }
        return .checked(DayCount(notifications: 1, maximum: 0, resetsAt: 0))
    }

    private func pushed(_ body: [UInt8]) -> RelayAnswer {
        posts += 1
        guard let request = try? PushRequest(body: body), let token = own(request.token) else {
            return .refused(.badToken)
        }
        guard token.generation >= generation else { return .refused(.revoked) }
        forward(.push(body), for: token)
        return .accepted(
            ids.next(at: far.time), DayCount(notifications: 1, maximum: 0, resetsAt: 0))
    }

    private func own(_ text: String) -> PushToken? {
        PushToken(text).flatMap { ring.isOwn($0) ? $0 : nil }
    }
}
