public import HomingCrypto

/// A key of a relay's, with the id by which tokens and parcels name it.
public struct RingKey: Sendable, NeverPrinted {
    public let id: UInt8
    public let key: SecretKey

    public init(id: UInt8, key: SecretKey) {
        self.id = id
        self.key = key
    }
}

/// A relay's keys: one, or two while the older one is being replaced. The first signs, both are good.
///
/// Each use has a key of its own: tokens, parcels, names. Names have a key that stays when the others
/// are replaced, since what is stored is found by them.
public struct TokenRing: Sendable {
    /// A key of the ring, and the keys derived from that key.
    private struct Member {
        let ring: RingKey
        let token: DerivedKey
        let parcel: DerivedKey

        init(_ ring: RingKey) {
            self.ring = ring
            token = KeyedHash.key(for: "homing relay token", of: ring.key)
            parcel = KeyedHash.key(for: "homing relay parcel", of: ring.key)
        }
    }

    /// The use of a blind name. Each use gives the same text another name.
    public enum Use: String, Sendable {
        /// A notification's tag.
        case tag
        /// Home Assistant's `hass_confirm_id`.
        case confirmID = "confirm"
        /// The code of an invitation, which belongs to no mailbox.
        case invitation
    }

    /// Grows with each rotation: of two rings of a relay, the one with the larger version is in use.
    public let version: Int
    private let members: [Member]
    private let names: DerivedKey
    /// The key for names, as the file keeps it.
    let nameKey: SecretKey

    /// `nil` for no key, more than two, or two of one id.
    public init?(_ keys: [RingKey], names: SecretKey, version: Int = 0) {
        guard (1...2).contains(keys.count), Set(keys.map(\.id)).count == keys.count else {
            return nil
        }
        self.version = version
        members = keys.map { Member($0) }
        nameKey = names
        self.names = KeyedHash.key(for: "homing relay name", of: names)
    }

    private init(
        _ members: [Member], _ names: DerivedKey, _ nameKey: SecretKey, version: Int = 0
    ) {
        self.version = version
        self.members = members
        self.names = names
        self.nameKey = nameKey
    }

    /// The key with which a front signs. Like names, it stays when the other keys are replaced, since
    /// devices have its public half.
    public var signingKey: SigningKey {
        SigningKey(seed: KeyedHash.key(for: "homing front signature", of: nameKey))
    }

    /// A ring with a new key of that id, for a new relay.
    public static func random(id: UInt8 = 1) throws(SecretKeyError) -> TokenRing {
        let names = try SecretKey()
        let member = Member(RingKey(id: id, key: try SecretKey()))
        return TokenRing([member], KeyedHash.key(for: "homing relay name", of: names), names)
    }

    /// The ring with a new key that signs. The key that has signed so far is still good; an older one is
    /// dropped, and its tokens with it.
    public func rotated() throws(SecretKeyError) -> TokenRing {
        var id = members[0].ring.id &+ 1
        if members.contains(where: { $0.ring.id == id }) { id &+= 1 }
        let member = Member(RingKey(id: id, key: try SecretKey()))
        return TokenRing([member, members[0]], names, nameKey, version: version + 1)
    }

    /// The keys, the one that signs first.
    public var keys: [RingKey] { members.map(\.ring) }

    private func member(_ id: UInt8) -> Member? { members.first { $0.ring.id == id } }
}

/// Tokens.
extension TokenRing {
    /// A token for the device with that key; `nil` for a key of low order, with which everybody could
    /// read what is sealed.
    public func token(for publicKey: PublicKey, generation: UInt16) -> PushToken? {
        guard publicKey.isUsable else { return nil }
        let keyID = members[0].ring.id
        let bytes = PushToken.signedBytes(
            keyID: keyID, generation: generation, publicKey: publicKey)
        let mac = KeyedHash.hash(bytes, under: members[0].token, size: .short)
        return PushToken(keyID: keyID, generation: generation, publicKey: publicKey, mac: mac)
    }

    /// Whether this relay made the token, in constant time. The store knows whether the token is
    /// revoked.
    public func isOwn(_ token: PushToken) -> Bool {
        guard let member = member(token.keyID) else { return false }
        let mac = KeyedHash.hash(token.signedBytes, under: member.token, size: .short)
        return KeyedHash.areEqual(mac, token.mac)
    }

    /// Whether the key that made the token is being replaced: the device is to have a new token.
    public func isOld(_ token: PushToken) -> Bool { token.keyID != members[0].ring.id }
}

/// Keys of parcels, and blind names.
extension TokenRing {
    /// The parcel key of a mailbox: only this relay and the device know the key, so the key proves
    /// the sender. `nil` if the ring has no key of that id.
    public func parcelKey(of mailbox: MailboxID, keyID: UInt8) -> DerivedKey? {
        member(keyID).map { KeyedHash.key(for: mailbox.bytes, of: $0.parcel) }
    }

    /// A keyed hash of 16 bytes, by which a store finds a text without knowing the text. The hash
    /// survives a key rotation, and differs between mailboxes and between uses.
    public func blindName(_ text: String, as use: Use, in mailbox: MailboxID? = nil) -> [UInt8] {
        // No use holds a zero byte, and a mailbox has a fixed size: so the encoding is unambiguous.
        let place = Array(use.rawValue.utf8) + [0] + (mailbox.map { [1] + $0.bytes } ?? [0])
        return KeyedHash.hash(place + Array(text.utf8), under: names, size: .short)
    }
}

extension TokenRing: NeverPrinted {}
