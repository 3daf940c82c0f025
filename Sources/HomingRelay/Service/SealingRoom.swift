internal import HomingCrypto
internal import HomingRelayProtocol
internal import HomingRuntime

/// The relay's keys, and the sealing of parcels, challenges and tokens.
@LoopActor final class SealingRoom {
    private(set) var ring: TokenRing
    private var sealer: ParcelSealer
    private var ids = MessageIDs()
    private let clock: any Clockwork
    private var forgetting: (any Alarm)?

    /// - Parameter firstTime: `MailboxStore.firstTime`.
    init(_ ring: TokenRing, after firstTime: Int64, _ clock: any Clockwork) {
        self.ring = ring
        self.clock = clock
        sealer = ParcelSealer(ring: ring)
        _ = ids.next(at: firstTime)
    }

    /// Milliseconds since 1970.
    var now: Int64 { RelayTime.milliseconds(clock.now().unixTime) }

    /// Whether there is a key pair that seals.
    var remembersPair: Bool { sealer.forgetsAt != nil }

    /// The id of the next message.
    func nextID() -> MessageID { ids.next(at: now) }

    /// A sealed letter, as the store gets it.
    func deposit(_ letter: Letter) throws(SealError) -> Deposit {
        let (id, now) = (nextID(), now)
        let parcel = try seal { (sealer, uptime) throws(SealError) in
            try sealer.seal(letter.parcel(id, at: now), for: letter.token, at: uptime)
        }
        return letter.deposit(id, sealed: parcel, names: ring, at: now)
    }

    /// Milliseconds for which a notice waits.
    private static let noticeLife = Int64(PushRequest.longestLife * 1000)

    /// A sealed notice of the relay's own, as the store gets it.
    func deposit(
        _ notice: RelayNotice, as stored: Deposit.Notice, for token: PushToken
    ) throws(SealError) -> Deposit {
        let (id, now) = (nextID(), now)
        let parcel = Parcel(
            id: id, mailbox: token.mailbox, arrived: now, expires: now + Self.noticeLife,
            content: .notice(notice))
        let sealed = try seal { (sealer, uptime) throws(SealError) in
            try sealer.seal(parcel, for: token, at: uptime)
        }
        return Deposit(
            .notice(stored), id: id, for: token.mailbox, expires: now + Self.noticeLife,
            parcel: sealed)
    }

    func challenge(for token: PushToken) throws(SealError) -> Challenge {
        try seal { (sealer, uptime) throws(SealError) in
            try sealer.challenge(for: token, at: uptime)
        }
    }

    /// A token for the owner of that key, and the same sealed with what belongs to it.
    func grant(
        _ key: PublicKey, generation: UInt16
    ) throws(SealError) -> (token: PushToken, sealed: [UInt8]) {
        guard let token = ring.token(for: key, generation: generation) else {
            throw .unusableKey
        }
        let sealed = try seal { (sealer, uptime) throws(SealError) in
            try sealer.grant(token, at: uptime)
        }
        return (token, sealed)
    }

    /// The next token of who has the present one, sealed.
    func renewal(of present: PushToken, generation: UInt16) throws(SealError) -> [UInt8] {
        guard let next = ring.token(for: present.publicKey, generation: generation) else {
            throw .unusableKey
        }
        return try seal { (sealer, uptime) throws(SealError) in
            try sealer.renewal(of: present, by: next, at: uptime)
        }
    }

    /// Seals with these keys from now on.
    func replaceKeys(_ ring: TokenRing) {
        self.ring = ring
        sealer = ParcelSealer(ring: ring)
        forgetting = nil
    }

    /// Seals a text, and sets a timer that wipes the pair after its hour. Without a pair no timer
    /// runs.
    private func seal<Value>(
        _ work: (ParcelSealer, Seconds) throws(SealError) -> Value
    ) throws(SealError) -> Value {
        let now = clock.now().uptime
        let value = try work(sealer, now)
        if forgetting == nil, let end = sealer.forgetsAt {
            // A slow timer may be a second early.
            forgetting = clock.slowOnce(after: end - now + 1) { [weak self] in self?.forget() }
        }
        return value
    }

    private func forget() {
        forgetting = nil
        sealer.forgetOldPair(at: clock.now().uptime)
        guard let end = sealer.forgetsAt else { return }
        let rest = end - clock.now().uptime + 1
        forgetting = clock.slowOnce(after: rest) { [weak self] in self?.forget() }
    }
}
