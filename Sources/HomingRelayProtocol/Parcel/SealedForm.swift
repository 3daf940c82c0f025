internal import HomingCrypto

/// A sealed text as it goes over the wire: version 1 ‖ key id 1 ‖ the sender's public key 32 ‖
/// nonce 24 ‖ box, whose text is padded to steps of 256 bytes.
struct SealedForm {
    static let version: UInt8 = 1
    /// Bytes of the largest: the box of a front around a push of `PushRequest.limit`.
    static let limit = size(of: FrontBox.limit)

    /// Bytes of a sealed parcel.
    ///
    /// - Parameter content: bytes of the parcel's content.
    static func size(of content: Int) -> Int {
        let steps = (Parcel.headSize + content) / Padding.step + 1
        return 2 + PublicKey.size + Nonce.size + SharedBox.overhead + steps * Padding.step
    }

    let keyID: UInt8
    let sender: PublicKey
    private let nonce: Nonce
    private let box: [UInt8]

    /// Seals a text.
    init(_ text: [UInt8], keyID: UInt8, sender: PublicKey, key: DerivedKey) {
        self.keyID = keyID
        self.sender = sender
        nonce = Nonce()
        box = SharedBox(key: key).seal(Padding.padded(text), nonce: nonce)
    }

    /// `nil` if the bytes have not the form, or are too many.
    init?(_ bytes: [UInt8]) {
        var reader = WireReader(bytes)
        guard bytes.count <= Self.limit, reader.number(UInt8.self) == Self.version,
            let keyID = reader.number(UInt8.self),
            let sender = reader.bytes(PublicKey.size).flatMap({ PublicKey($0) }),
            let nonce = reader.bytes(Nonce.size).flatMap({ Nonce($0) }),
            reader.rest.count >= SharedBox.overhead + Padding.step
        else { return nil }
        self.keyID = keyID
        self.sender = sender
        self.nonce = nonce
        box = Array(reader.rest)
    }

    var bytes: [UInt8] { [Self.version, keyID] + sender.bytes + nonce.bytes + box }

    /// The text; `nil` if it was not sealed with this key.
    func text(openedWith key: DerivedKey) -> [UInt8]? {
        SharedBox(key: key).open(box, nonce: nonce).flatMap { Padding.unpadded($0) }
    }
}

/// The keys that seal.
enum SealKey {
    /// Form of parcels, challenges and renewals: takes the parcel key, which proves the relay,
    /// and the key that both pairs share, which is gone with the sender's pair.
    static func parcel(
        _ parcelKey: DerivedKey, _ shared: DerivedKey, sender: PublicKey, device: PublicKey
    ) -> DerivedKey {
        KeyedHash.key(for: sender.bytes + device.bytes, of: parcelKey, and: shared)
    }

    /// Form of a grant to a device that has no parcel key yet.
    static func grant(_ shared: DerivedKey, sender: PublicKey, device: PublicKey) -> DerivedKey {
        let use = Array("homing relay grant".utf8)
        return KeyedHash.key(for: use + sender.bytes + device.bytes, of: shared)
    }
}
