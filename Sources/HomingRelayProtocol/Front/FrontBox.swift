public import HomingCrypto

/// A parcel that a front at home sealed and signed, for a relay that cannot read it: 64 bytes of
/// signature, then the sealed parcel.
public struct FrontBox: Equatable, Sendable {
    /// Bytes of the largest box, that of a push of `PushRequest.limit`.
    public static let limit = VerifyKey.signatureSize + SealedForm.size(of: PushRequest.limit)

    public let bytes: [UInt8]

    /// Signs a sealed parcel of that mailbox.
    public init(_ parcel: [UInt8], in mailbox: MailboxID, signedWith key: SigningKey) {
        bytes = key.signature(of: Self.signedText(parcel[...], mailbox)) + parcel
    }

    /// Reads a box; `nil` for a number of bytes that no box has.
    public init?(bytes: [UInt8]) {
        guard (VerifyKey.signatureSize + 1...Self.limit).contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// The sealed parcel; `nil` unless the owner of the key signed the box for that mailbox.
    func parcel(in mailbox: MailboxID, signedBy key: VerifyKey) -> [UInt8]? {
        let parcel = bytes.dropFirst(VerifyKey.signatureSize)
        let signature = Array(bytes.prefix(VerifyKey.signatureSize))
        let isSigned = key.isSignature(signature, of: Self.signedText(parcel, mailbox))
        return isSigned ? Array(parcel) : nil
    }

    private static func signedText(_ parcel: ArraySlice<UInt8>, _ mailbox: MailboxID) -> [UInt8] {
        Array("homing front box".utf8) + [0] + mailbox.bytes + parcel
    }
}

extension FrontBox: NeverPrinted {}

extension ParcelOpener {
    /// Opens the parcel of a front. The relay in between knows when the parcel expires, and the clock
    /// of the front may be wrong: so the expiry within the parcel does not count.
    public func open(
        _ box: FrontBox, in mailbox: MailboxID, signedBy key: VerifyKey
    ) throws(ParcelFault) -> Parcel {
        guard let parcel = box.parcel(in: mailbox, signedBy: key) else { throw .notByFront }
        let inner = try open(parcel, in: mailbox, at: 0)
        if case .forwarded = inner.content { throw .malformed }
        return inner
    }
}
