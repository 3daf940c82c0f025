public import HomingCrypto
internal import HomingJSON

/// The part of a front's answer to a device that joins: the relay whose mailbox the device reads, and
/// the key with which the front signs. The signature covers the whole answer: somebody on the way could
/// have Home Assistant post to himself otherwise.
public struct FrontOffer: Equatable, Sendable {
    /// The key with which the front signs its boxes.
    public let key: VerifyKey
    /// The address of the far relay, without the paths of the protocol.
    public let url: String
    private let signature: [UInt8]

    /// Signs an offer for the owner of `device`.
    ///
    /// - Parameters:
    ///   - pushURL: `JoinAnswer.pushURL` of the answer with the offer.
    ///   - sealed: `JoinAnswer.sealed` of the answer with the offer.
    public init(
        url: String, for device: PublicKey, pushURL: String, sealed: [UInt8],
        signedWith key: SigningKey
    ) {
        self.key = key.verifyKey
        self.url = url
        signature = key.signature(of: Self.signedText(url, device, pushURL, sealed))
    }

    /// `nil` if a member is missing or malformed.
    init?(_ value: JSONValue) {
        guard let key = value["key"]?.string.flatMap({ URLBase64.bytes(of: $0) }),
            let verifyKey = VerifyKey(key), let url = value["url"]?.string,
            let signature = value["signature"]?.string.flatMap({ URLBase64.bytes(of: $0) })
        else { return nil }
        self.key = verifyKey
        self.url = url
        self.signature = signature
    }

    /// Whether the owner of `key` made the offer for that device, in an answer with these members.
    func isSigned(for device: PublicKey, pushURL: String, sealed: [UInt8]) -> Bool {
        key.isSignature(signature, of: Self.signedText(url, device, pushURL, sealed))
    }

    var json: JSONValue {
        .object([
            "key": .string(URLBase64.text(of: key.bytes)), "url": .string(url),
            "signature": .string(URLBase64.text(of: signature)),
        ])
    }

    private static func signedText(
        _ url: String, _ device: PublicKey, _ pushURL: String, _ sealed: [UInt8]
    ) -> [UInt8] {
        let texts = [url, pushURL].flatMap { UInt32($0.utf8.count).wireBytes + Array($0.utf8) }
        return Array("homing front offer".utf8) + [0] + device.bytes + texts + sealed
    }
}
