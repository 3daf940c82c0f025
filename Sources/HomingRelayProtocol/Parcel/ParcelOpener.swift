public import HomingCrypto

/// A reason for which a sealed text is refused. The reason holds no part of the text.
public enum ParcelFault: Error, Equatable, Sendable {
    /// The text is malformed, or of another purpose.
    case malformed
    /// The device does not have the parcel key of the text's key id.
    case unknownKey
    /// The relay did not seal the text, or sealed the text for another device.
    case notByRelay
    /// The device's front did not sign the box, or signed the box for another device.
    case notByFront
    /// The parcel belongs to another mailbox.
    case otherMailbox
    /// The parcel has expired.
    case expired
}

extension ParcelFault: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .malformed: "it is not a parcel: update relay and machine to the same version"
        case .unknownKey: "its key is unknown here, as the relay has new keys: join again"
        case .notByRelay: "this relay did not encrypt the message for this machine: join again"
        case .notByFront: "it was not signed by this machine's front: join the front again"
        case .otherMailbox: "it is for another machine"
        case .expired: "its time was over"
        }
    }
}

/// Opens what a relay sealed for a device.
public struct ParcelOpener: Sendable {
    private let pair: KeyPair
    private let parcelKeys: [UInt8: DerivedKey]

    /// - Parameter parcelKeys: by the ids of the relay's keys; none before the device has joined.
    public init(pair: KeyPair, parcelKeys: [UInt8: DerivedKey] = [:]) {
        self.pair = pair
        self.parcelKeys = parcelKeys
    }

    /// Opens a parcel.
    ///
    /// - Parameters:
    ///   - mailbox: the device's.
    ///   - now: milliseconds since 1970 by the relay's clock, which its frames tell.
    public func open(
        _ bytes: [UInt8], in mailbox: MailboxID, at now: Int64
    ) throws(ParcelFault) -> Parcel {
        guard let parcel = Parcel(try text(of: bytes)) else { throw .malformed }
        guard parcel.mailbox == mailbox else { throw .otherMailbox }
        guard parcel.expires > now else { throw .expired }
        return parcel
    }

    /// The answer to a challenge.
    public func proof(of challenge: [UInt8]) throws(ParcelFault) -> [UInt8] {
        guard let proof = Challenge.proof(in: try text(of: challenge)) else { throw .malformed }
        return proof
    }

    /// Opens the grant that a relay gave to a device that joins.
    public func grant(_ bytes: [UInt8]) throws(ParcelFault) -> Grant {
        guard let form = SealedForm(bytes) else { throw .malformed }
        let text = pair.shared(with: form.sender).flatMap { shared in
            form.text(
                openedWith: SealKey.grant(
                    shared, sender: form.sender, device: pair.publicKey))
        }
        guard let text else { throw .notByRelay }
        return try own(text, keyID: form.keyID)
    }

    /// Opens a relay's next token.
    public func renewal(_ bytes: [UInt8]) throws(ParcelFault) -> Grant {
        try own(try text(of: bytes), keyID: nil)
    }

    private func own(_ text: [UInt8], keyID: UInt8?) throws(ParcelFault) -> Grant {
        guard let grant = Grant(text), keyID ?? grant.token.keyID == grant.token.keyID else {
            throw .malformed
        }
        guard grant.token.publicKey == pair.publicKey else { throw .otherMailbox }
        return grant
    }

    private func text(of bytes: [UInt8]) throws(ParcelFault) -> [UInt8] {
        guard let form = SealedForm(bytes) else { throw .malformed }
        guard let parcelKey = parcelKeys[form.keyID] else { throw .unknownKey }
        guard let shared = pair.shared(with: form.sender) else { throw .notByRelay }
        let key = SealKey.parcel(
            parcelKey, shared, sender: form.sender, device: pair.publicKey)
        guard let text = form.text(openedWith: key) else { throw .notByRelay }
        return text
    }
}

extension ParcelOpener: NeverPrinted {}
