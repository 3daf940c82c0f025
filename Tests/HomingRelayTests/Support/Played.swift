import HomingBase
import HomingCrypto
import HomingRelayProtocol
import HomingTestKit
import Testing

@testable import HomingRelay

/// A relay's keys and one device, for tests of decisions.
struct Played {
    var ring: TokenRing
    let device: KeyPair
    var token: PushToken
    let sealer: ParcelSealer

    init(generation: UInt16 = 0) throws {
        ring = try TokenRing.random()
        device = try KeyPair()
        token = try #require(ring.token(for: device.publicKey, generation: generation))
        sealer = ParcelSealer(ring: ring)
    }

    /// The device with its parcel keys.
    var opener: ParcelOpener {
        var keys: [UInt8: DerivedKey] = [:]
        for key in ring.keys { keys[key.id] = ring.parcelKey(of: token.mailbox, keyID: key.id) }
        return ParcelOpener(pair: device, parcelKeys: keys)
    }

    /// A body as Home Assistant posts it.
    ///
    /// - Parameter more: members as JSON.
    func body(
        _ more: String = "", message: String = "Somebody is at the door", token text: String? = nil
    ) -> [UInt8] {
        let head = "{\"message\":\"\(message)\",\"push_token\":\"\(text ?? token.text)\""
        return Array((head + (more.isEmpty ? "" : ",\(more)") + "}").utf8)
    }
}
