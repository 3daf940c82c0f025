public import HomingCrypto

/// A token for a device, and the parcel key of the token's key id. The device passes the token on
/// to Home Assistant, and opens parcels with the parcel key.
public struct Grant: Equatable, Sendable {
    public let token: PushToken
    public let parcelKey: DerivedKey

    public init(token: PushToken, parcelKey: DerivedKey) {
        self.token = token
        self.parcelKey = parcelKey
    }

    /// The text that is sealed.
    var bytes: [UInt8] { [Purpose.grant.rawValue] + Array(token.text.utf8) + parcelKey.bytes }

    /// `nil` if the text is no grant.
    init?(_ bytes: [UInt8]) {
        var reader = WireReader(bytes)
        guard reader.number(UInt8.self) == Purpose.grant.rawValue,
            let token = reader.bytes(PushToken.size).flatMap({
                PushToken(String(decoding: $0, as: UTF8.self))
            }), let key = reader.bytes(DerivedKey.size).flatMap({ DerivedKey($0) }),
            reader.rest.isEmpty
        else { return nil }
        self.init(token: token, parcelKey: key)
    }
}

extension Grant: NeverPrinted {}

/// A sealed random value. A device that opens the challenge has the secret key and the parcel key.
/// The proof needs no clock, as a device's clock may be wrong after a long sleep.
public struct Challenge: Sendable {
    /// Bytes of the answer.
    public static let proofSize = 32

    /// Goes to the device.
    public let sealed: [UInt8]
    private let proof: [UInt8]

    init(sealed: [UInt8], proof: [UInt8]) {
        self.sealed = sealed
        self.proof = proof
    }

    /// Whether that is the answer; takes the same time wherever it differs.
    public func isProven(by proof: [UInt8]) -> Bool { KeyedHash.areEqual(self.proof, proof) }

    /// The text that is sealed.
    static func bytes(of proof: [UInt8]) -> [UInt8] { [Purpose.challenge.rawValue] + proof }

    /// The answer in a text that was opened; `nil` if the text is no challenge.
    static func proof(in bytes: [UInt8]) -> [UInt8]? {
        guard bytes.first == Purpose.challenge.rawValue, bytes.count == 1 + proofSize else {
            return nil
        }
        return Array(bytes.dropFirst())
    }
}

extension Challenge: NeverPrinted {}
