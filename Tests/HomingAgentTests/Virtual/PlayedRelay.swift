import HomingCrypto
import HomingJSON
import HomingRelayProtocol
import HomingRuntime

/// A relay on a port of this machine, with the real seals: what a device sees of one.
final class PlayedRelay: PlayedSockets {
    enum Join: Equatable {
        case open
        case code(String)
        /// A code that is good once; its last user may repeat it.
        case once(String)
        case closed
    }

    /// Rule about who may join.
    var join = Join.open
    /// Status of the answer to every request, in place of what it asks for: a proxy's status, say.
    var status: Int?
    /// Whether acknowledgements are lost.
    var losesAcknowledgements = false
    /// The relay's clock, in milliseconds since 1970.
    var time: Int64 = 1_800_000_000_000
    /// Address to which Home Assistant is to post; `nil` for this relay.
    var pushURL: String?
    /// The name of the relay.
    var name = "Played"
    /// Offer of a front: a relay that is no front has no offer.
    var offer: FrontOffer?
    /// Grant in place of the grant that belongs to the device.
    var otherGrant: [UInt8]?
    /// Notifications that were posted.
    private(set) var posts = 0
    /// Number of requests for a mailbox.
    private(set) var attempts = 0
    /// The devices that are connected.
    private(set) var connected: [Int32: PushToken] = [:]
    private(set) var joins = 0
    private(set) var acknowledged: [MessageID] = []
    /// The token that was given last.
    private(set) var lastToken = ""
    private(set) var ring: TokenRing
    private var sealer: ParcelSealer
    private var generations: [MailboxID: UInt16] = [:]
    private var waiting: [MailboxID: [(id: MessageID, sealed: [UInt8])]] = [:]
    private var challenges: [Int32: Challenge] = [:]
    private var sent: [Int32: Set<MessageID>] = [:]
    private var asking: [Int32: PushToken] = [:]
    private var ids = MessageIDs()
    private var lastUser: PublicKey?

    override init() throws {
        ring = try TokenRing.random()
        sealer = ParcelSealer(ring: ring)
        try super.init()
    }

    /// The relay has lost its keys.
    func loseKeys() throws {
        ring = try TokenRing.random()
        sealer = ParcelSealer(ring: ring)
    }

    /// The keys are replaced; those of before are still good.
    func rotate() throws {
        ring = try ring.rotated()
        sealer = ParcelSealer(ring: ring)
    }

    /// Ends all connections of devices.
    func drop() { for client in connected.keys { end(client) } }

    /// Says goodbye to all devices.
    func drain(_ seconds: Int) {
        for client in connected.keys { sendFrame(.bye(seconds: seconds, why: ""), client) }
    }

    // MARK: Messages

    /// Stores a body of Home Assistant's for the device with this token, that came `age` seconds ago.
    @discardableResult
    func store(_ body: String, for token: String, age: Seconds = 0, life: Seconds = 86_400)
        -> MessageID?
    {
        guard let token = PushToken(token) else { return nil }
        return store(.push(Array(body.utf8)), for: token, age: age, life: life)
    }

    @discardableResult
    func store(
        _ content: Parcel.Content, for token: PushToken, age: Seconds = 0, life: Seconds = 86_400
    ) -> MessageID? {
        let id = ids.next(at: time)
        let arrived = time - Int64(age * 1000)
        let parcel = Parcel(
            id: id, mailbox: token.mailbox, arrived: arrived,
            expires: arrived + Int64(life * 1000), content: content)
        guard let sealed = try? sealer.seal(parcel, for: token, at: 0) else { return nil }
        put(sealed, under: id, in: token.mailbox)
        return id
    }

    /// Puts any bytes into a mailbox, as who can write into the store could.
    func put(_ sealed: [UInt8], under id: MessageID? = nil, in mailbox: MailboxID) {
        waiting[mailbox, default: []].append((id ?? ids.next(at: time), sealed))
        for client in connected.keys { send(to: client) }
    }

    /// Returns the encrypted messages that wait in a mailbox.
    func sealed(in mailbox: MailboxID) -> [(id: MessageID, sealed: [UInt8])] {
        waiting[mailbox] ?? []
    }

    private func send(to client: Int32) {
        guard let token = connected[client] else { return }
        for (id, sealed) in waiting[token.mailbox] ?? []
        where sent[client, default: []].count < RelayFrame.window
            && sent[client]?.contains(id) != true
        {
            sent[client, default: []].insert(id)
            sendFrame(.message(id: id, now: time, parcel: sealed), client)
        }
    }

    private func sendFrame(_ frame: RelayFrame, _ client: Int32) { sendText(frame.text, client) }

    // MARK: HTTP

    override func asked(_ request: Request, by client: Int32) {
        if let status { return answer(client, status) }
        switch (request.method, request.path) {
        case ("POST", RelayPath.join): answer(client, joined(request.body))
        case ("POST", RelayPath.push): answer(client, pushed(request.body))
        case ("POST", RelayPath.check): answer(client, checked(request.body))
        case ("GET", RelayPath.mailbox) where request.isUpgrade: welcome(request, client)
        default: answer(client, .refused(.notFound))
        }
    }

    private func answer(_ client: Int32, _ answer: RelayAnswer) {
        self.answer(client, answer.status, answer.body)
    }

    private func joined(_ body: [UInt8]) -> RelayAnswer {
        joins += 1
        let request: JoinRequest
        do { request = try JoinRequest(body: body) } catch { return .refused(error) }
        switch join {
        case .open: break
        case .closed: return .refused(.joinClosed)
        case .code(let code):
            guard let given = request.code else { return .refused(.codeNeeded) }
            guard given == code else { return .refused(.codeWrong) }
        case .once(let code):
            guard request.code == code, lastUser == nil || lastUser == request.publicKey else {
                return .refused(.codeWrong)
            }
            lastUser = request.publicKey
        }
        let mailbox = MailboxID(of: request.publicKey)
        guard let token = ring.token(for: request.publicKey, generation: generations[mailbox] ?? 0),
            let grant = try? sealer.grant(token, at: 0)
        else { return .refused(.badKey) }
        lastToken = token.text
        return .joined(
            JoinAnswer(
                sealed: otherGrant ?? grant, maximum: 150, name: name,
                pushURL: pushURL ?? url + RelayPath.push, front: offer))
    }

    private func checked(_ body: [UInt8]) -> RelayAnswer {
        guard let request = try? PushRequest(body: body), let token = PushToken(request.token),
            isGood(token)
        else { return .refused(.badToken) }
        return .checked(count)
    }

    private func pushed(_ body: [UInt8]) -> RelayAnswer {
        posts += 1
        guard let request = try? PushRequest(body: body), let token = PushToken(request.token),
            isGood(token)
        else { return .refused(.badToken) }
        guard let id = store(.push(body), for: token, life: request.life) else {
            return .refused(.failed)
        }
        return .accepted(id, count)
    }

    private var count: DayCount { DayCount(notifications: 1, maximum: 150, resetsAt: 0) }

    /// Whether a front may forward to the mailbox of this token.
    func takes(_ token: PushToken) -> Bool { status == nil && isGood(token) }

    private func isGood(_ token: PushToken) -> Bool {
        ring.isOwn(token) && token.generation == generations[token.mailbox] ?? 0
    }

    // MARK: Devices

    private func welcome(_ request: Request, _ client: Int32) {
        attempts += 1
        guard let token = request.field("Authorization").flatMap({ PushToken(authorization: $0) }),
            isGood(token), let challenge = try? sealer.challenge(for: token, at: 0)
        else { return answer(client, .refused(.badToken)) }
        upgrade(client, request)
        asking[client] = token
        challenges[client] = challenge
        sendFrame(
            .hello(version: RelayFrame.version, now: time, challenge: challenge.sealed), client)
    }

    override func left(_ client: Int32) {
        connected[client] = nil
        sent[client] = nil
    }

    override func receiveText(_ text: [UInt8], by client: Int32) {
        switch RelayFrame(text, limit: RelayFrame.deviceLimit) {
        case .proof(let proof)? where challenges[client]?.isProven(by: proof) == true:
            connected[client] = asking[client]
            ready(client)
            send(to: client)
        case .acknowledge(let ids)?: acknowledge(ids, client)
        case .revoke?: revoke(client)
        default: end(client)
        }
    }

    private func acknowledge(_ ids: [MessageID], _ client: Int32) {
        guard !losesAcknowledgements, let token = connected[client] else { return }
        acknowledged += ids
        waiting[token.mailbox]?.removeAll { ids.contains($0.id) }
        sent[client]?.subtract(ids)
        send(to: client)
    }

    private func revoke(_ client: Int32) {
        guard let token = connected[client] else { return }
        generations[token.mailbox, default: 0] += 1
        ready(client)
    }

    /// Returns the number of times that the tokens of this mailbox were revoked.
    func generation(of token: PushToken) -> UInt16 { generations[token.mailbox] ?? 0 }

    private func ready(_ client: Int32) {
        guard let token = connected[client] else { return }
        var renewal: [UInt8]?
        let generation = generations[token.mailbox] ?? 0
        if ring.isOld(token) || token.generation != generation,
            let next = ring.token(for: token.publicKey, generation: generation)
        {
            renewal = try? sealer.renewal(of: token, by: next, at: 0)
        }
        sendFrame(
            .ready(
                waiting: waiting[token.mailbox]?.count ?? 0, count: count,
                renewal: renewal), client)
    }
}
