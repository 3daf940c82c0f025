public import HomingBase
internal import HomingCrypto

/// A reason for which sealing failed.
public enum SealError: Error, Equatable, Sendable {
    /// The token's public key is of low order.
    case unusableKey
    /// The ring has no key of the token's id.
    case foreignToken
    /// The parcel belongs to another mailbox than the token.
    case otherMailbox
    /// The body is larger than `PushRequest.limit`.
    case tooLarge
    /// The system gives no locked memory for the sender's key.
    case noMemory
}

extension SealError: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .unusableKey: "the machine's public key cannot be used: join again with a new key"
        case .foreignToken: "this relay no longer has the key that made the token: join again"
        case .otherMailbox: "the message belongs to another mailbox than the token"
        case .tooLarge: "the message is larger than \(PushRequest.limit) bytes: send a shorter one"
        case .noMemory: "the system gives no locked memory for a key: raise RLIMIT_MEMLOCK"
        }
    }
}

/// Seals parcels for devices, with a key pair that is wiped after an hour. After that the relay
/// cannot open a parcel sealed with the pair.
///
/// The owner calls `forgetOldPair(at:)` at the time `forgetsAt`. The sealer is a class, so that no
/// copy of the pair exists. Not thread-safe.
public final class ParcelSealer {
    /// Seconds for which a pair seals.
    public static let pairLife: Seconds = 3600
    /// Keys that are remembered; the older half is dropped when there are more.
    public static let keyLimit = 4096

    private let ring: TokenRing
    private var hour: (pair: KeyPair, since: Seconds)?
    private var keys = RecentKeys(limit: keyLimit)

    /// Seals under the keys of this ring.
    public init(ring: TokenRing) { self.ring = ring }

    /// Time to forget the pair, in seconds of the clock that `at:` is read from; `nil` without a
    /// pair.
    public var forgetsAt: Seconds? { hour.map { $0.since + Self.pairLife } }

    /// Number of keys that are remembered.
    public var rememberedKeys: Int { keys.count }

    /// Wipes the pair and all keys made with it, if its hour is over.
    ///
    /// - Parameter now: seconds of a clock that is never stepped, such as `Moment.uptime`.
    public func forgetOldPair(at now: Seconds) {
        guard let hour, !(hour.since..<hour.since + Self.pairLife ~= now) else { return }
        self.hour = nil
        keys = RecentKeys(limit: Self.keyLimit)
    }

    /// The pair that seals now.
    private func pair(at now: Seconds) throws(SealError) -> KeyPair {
        forgetOldPair(at: now)
        if let hour { return hour.pair }
        guard let pair = try? KeyPair() else { throw .noMemory }
        hour = (pair, now)
        return pair
    }

    /// The pair's key for the device and key id of a token.
    private func key(of pair: KeyPair, for token: PushToken) throws(SealError) -> DerivedKey {
        let recipient = RecentKeys.Recipient(keyID: token.keyID, publicKey: token.publicKey)
        if let key = keys.key(for: recipient) { return key }
        guard let parcelKey = ring.parcelKey(of: token.mailbox, keyID: token.keyID) else {
            throw .foreignToken
        }
        guard let shared = pair.shared(with: token.publicKey) else { throw .unusableKey }
        let key = SealKey.parcel(
            parcelKey, shared, sender: pair.publicKey, device: token.publicKey)
        keys.remember(key, for: recipient)
        return key
    }
}

/// Parcels, challenges and tokens, sealed.
extension ParcelSealer {
    /// Seals a parcel for the device that has the token.
    ///
    /// - Parameter token: one of the ring's own, which the caller has checked.
    public func seal(
        _ parcel: Parcel, for token: PushToken, at now: Seconds
    ) throws(SealError) -> [UInt8] {
        guard parcel.mailbox == token.mailbox else { throw .otherMailbox }
        if case .push(let body) = parcel.content, body.count > PushRequest.limit {
            throw .tooLarge
        }
        return try sealed(parcel.bytes, for: token, at: now)
    }

    /// A question that only the device can answer that has the token.
    public func challenge(
        for token: PushToken, at now: Seconds
    ) throws(SealError) -> Challenge {
        let proof = RandomToken.bytes(Challenge.proofSize)
        return Challenge(
            sealed: try sealed(Challenge.bytes(of: proof), for: token, at: now), proof: proof)
    }

    /// Seals a token, and the parcel key that belongs to it, for a device without a token.
    public func grant(_ token: PushToken, at now: Seconds) throws(SealError) -> [UInt8] {
        let pair = try pair(at: now)
        guard let shared = pair.shared(with: token.publicKey) else { throw .unusableKey }
        let key = SealKey.grant(shared, sender: pair.publicKey, device: token.publicKey)
        return SealedForm(
            try grantText(token), keyID: token.keyID, sender: pair.publicKey, key: key
        ).bytes
    }

    /// Seals a device's next token, and the parcel key that belongs to it, so that it is seen to be by
    /// the relay that made the present one.
    public func renewal(
        of present: PushToken, by next: PushToken, at now: Seconds
    ) throws(SealError) -> [UInt8] {
        guard present.mailbox == next.mailbox else { throw .otherMailbox }
        return try sealed(try grantText(next), for: present, at: now)
    }

    private func grantText(_ token: PushToken) throws(SealError) -> [UInt8] {
        guard let key = ring.parcelKey(of: token.mailbox, keyID: token.keyID) else {
            throw .foreignToken
        }
        return Grant(token: token, parcelKey: key).bytes
    }

    private func sealed(
        _ text: [UInt8], for token: PushToken, at now: Seconds
    ) throws(SealError) -> [UInt8] {
        let pair = try pair(at: now)
        let key = try key(of: pair, for: token)
        return SealedForm(text, keyID: token.keyID, sender: pair.publicKey, key: key).bytes
    }
}

extension ParcelSealer: NeverPrinted {}
