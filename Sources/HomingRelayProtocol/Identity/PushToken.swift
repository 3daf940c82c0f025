public import HomingCrypto

/// The token that Home Assistant posts with each notification for a device. A MAC proves that the
/// relay made the token, without a look-up.
///
/// `hr1.` and Base64 of key id 1 ‖ generation 2 ‖ the device's public key 32 ‖ MAC 16: 72 characters.
/// Secret: whoever has it can send to the device.
public struct PushToken: Hashable, Sendable {
    /// Characters of a token.
    public static let size = 72

    private static let prefix = "hr1."
    private static let macSize = KeyedHash.Size.short.rawValue

    /// The id of the relay's key that made the token.
    public let keyID: UInt8
    /// The number of the token among the device's tokens. Tokens of lower numbers are revoked.
    public let generation: UInt16
    /// Parcels are sealed for this key.
    public let publicKey: PublicKey
    /// Mailbox in which the device's messages wait.
    public let mailbox: MailboxID

    let mac: [UInt8]

    init(keyID: UInt8, generation: UInt16, publicKey: PublicKey, mac: [UInt8]) {
        self.keyID = keyID
        self.generation = generation
        self.publicKey = publicKey
        self.mac = mac
        mailbox = MailboxID(of: publicKey)
    }

    /// Reads a token; `nil` if the text is malformed. `TokenRing.isOwn` checks the MAC.
    public init?(_ text: String) {
        let characters = text.utf8
        guard characters.count == Self.size, characters.starts(with: Self.prefix.utf8),
            let coded = String(characters.dropFirst(Self.prefix.utf8.count)),
            let bytes = URLBase64.bytes(of: coded)
        else { return nil }
        var reader = WireReader(bytes)
        guard let keyID = reader.number(UInt8.self), let generation = reader.number(UInt16.self),
            let key = reader.bytes(PublicKey.size).flatMap({ PublicKey($0) }),
            let mac = reader.bytes(Self.macSize), reader.rest.isEmpty
        else { return nil }
        self.init(keyID: keyID, generation: generation, publicKey: key, mac: mac)
    }

    /// The token of a header `Authorization: Bearer …`.
    public init?(authorization field: String) {
        let scheme = "Bearer "
        guard field.utf8.count == scheme.utf8.count + Self.size,
            field.prefix(scheme.count).lowercased() == scheme.lowercased()
        else { return nil }
        self.init(String(field.dropFirst(scheme.count)))
    }

    /// 72 characters, secret.
    public var text: String { Self.prefix + URLBase64.text(of: signedBytes + mac) }

    /// The bytes that the MAC covers.
    var signedBytes: [UInt8] {
        Self.signedBytes(keyID: keyID, generation: generation, publicKey: publicKey)
    }

    static func signedBytes(
        keyID: UInt8, generation: UInt16, publicKey: PublicKey
    ) -> [UInt8] {
        [keyID] + generation.wireBytes + publicKey.bytes
    }
}

extension PushToken: NeverPrinted {}
