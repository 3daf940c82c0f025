internal import HomingCrypto

/// The ring as relays that share an engine hand it to each other.
///
/// It is sealed with a key that is made of the key for names: each of the relays has that key in its
/// file, and it stays in a rotation. Who can write into the engine can hold a ring back, but can
/// neither read nor make a ring; relays take no ring that is older than their own.
extension TokenRing {
    private var sharedBox: SharedBox {
        SharedBox(key: KeyedHash.key(for: "homing relay shared ring", of: nameKey))
    }

    /// Whether another ring has the same keys and the same version.
    public func isSame(as other: TokenRing) -> Bool {
        KeyedHash.areEqual(Array(file.utf8), Array(other.file.utf8))
    }

    /// The sealed ring.
    public var sealed: [UInt8] {
        let nonce = Nonce()
        return nonce.bytes + sharedBox.seal(Array(file.utf8), nonce: nonce)
    }

    /// Opens a ring that a relay with the same key for names has sealed; `nil` for anything else.
    public func opened(_ sealed: [UInt8]) -> TokenRing? {
        guard sealed.count > Nonce.size, sealed.count <= Self.fileLimit * 2,
            let nonce = Nonce(Array(sealed.prefix(Nonce.size))),
            let text = sharedBox.open(Array(sealed.dropFirst(Nonce.size)), nonce: nonce)
        else { return nil }
        return try? TokenRing(file: String(decoding: text, as: UTF8.self))
    }
}
