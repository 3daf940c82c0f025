import HomingBase
import HomingCrypto
import HomingTestKit
import Testing

@testable import HomingRelayProtocol

/// A relay and a device that has joined it.
struct Joined {
    let ring: TokenRing
    let pair: KeyPair
    let token: PushToken
    let opener: ParcelOpener

    init(ring: TokenRing? = nil, pair: KeyPair? = nil) throws {
        let ring = try ring ?? TokenRing.random()
        let pair = try pair ?? KeyPair()
        let token = try #require(ring.token(for: pair.publicKey, generation: 1))
        let key = try #require(ring.parcelKey(of: token.mailbox, keyID: token.keyID))
        self.ring = ring
        self.pair = pair
        self.token = token
        opener = ParcelOpener(pair: pair, parcelKeys: [token.keyID: key])
    }

    func parcel(
        _ content: Parcel.Content = .push(Array("{}".utf8)), expires: Int64 = 2_000
    ) -> Parcel {
        var ids = MessageIDs()
        return Parcel(
            id: ids.next(at: 1_000), mailbox: token.mailbox, arrived: 1_000, expires: expires,
            content: content)
    }
}

@Suite struct ParcelTests {
    @Test("What PyNaCl sealed opens")
    func vector() throws {
        let mailbox = MailboxID(of: try Vector.device().publicKey)
        let parcel = try Vector.opener().open(
            try Vector.bytes(Vector.parcel), in: mailbox, at: 1_792_086_400_122)
        #expect(parcel.id.text == Vector.messageID && parcel.mailbox == mailbox)
        #expect(parcel.arrived == 1_792_000_000_123 && parcel.expires == 1_792_086_400_123)
        #expect(parcel.content == .push(Array(Vector.body.utf8)))
    }

    @Test("Whatever is sealed opens as it was, and is never larger than the limit")
    func roundTrip() throws {
        let seed = TestRun.seed()
        var random = SeededRandom(seed: seed)
        let joined = try Joined()
        let sealer = ParcelSealer(ring: joined.ring)
        for round in 0..<300 {
            let content = Self.content(round, &random)
            let parcel = joined.parcel(
                content, expires: Int64.random(in: 2_000...RelayTime.latest, using: &random))
            let sealed = try sealer.seal(parcel, for: joined.token, at: Double(round))
            #expect(sealed.count <= 66 << 10)
            let opened = try joined.opener.open(sealed, in: joined.token.mailbox, at: 1_999)
            #expect(opened == parcel, "round \(round), HOMING_SEED=\(seed)")
        }
    }

    private static func content(_ round: Int, _ random: inout SeededRandom) -> Parcel.Content {
        switch round % 4 {
        case 0: return .notice(.dropped(Int.random(in: 0...Int(UInt32.max), using: &random)))
        case 1:
            return .notice(
                .limitReached(
                    maximum: Int.random(in: 0...100_000, using: &random),
                    resetsAt: Int64.random(in: 0...RelayTime.latest, using: &random)))
        default:
            let count = round == 2 ? PushRequest.limit : Int.random(in: 0...2_000, using: &random)
            return .push((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }

    @Test("How long a body is shows only in steps of 256 bytes")
    func lengths() throws {
        let joined = try Joined()
        let sealer = ParcelSealer(ring: joined.ring)
        let sizes = try (0..<180).map { count in
            let parcel = joined.parcel(.push([UInt8](repeating: 0x20, count: count)))
            return try sealer.seal(parcel, for: joined.token, at: 0).count
        }
        #expect(Set(sizes).count == 1)
    }

    @Test("A parcel opens with its own key, mailbox, parcel key and time alone")
    func faults() throws {
        let (joined, other) = (try Joined(), try Joined())
        let mailbox = joined.token.mailbox
        let sealed = try ParcelSealer(ring: joined.ring).seal(
            joined.parcel(), for: joined.token, at: 0)
        let fault: (ParcelOpener, MailboxID, Int64) throws -> ParcelFault? = {
            opener, mailbox, now in
            try thrown(ParcelFault.self) { try opener.open(sealed, in: mailbox, at: now) }
        }
        let ownKey = try #require(joined.ring.parcelKey(of: mailbox, keyID: joined.token.keyID))
        let foreign = try #require(other.ring.parcelKey(of: mailbox, keyID: other.token.keyID))
        let keyless = ParcelOpener(pair: joined.pair)
        let otherPair = ParcelOpener(pair: other.pair, parcelKeys: [joined.token.keyID: ownKey])
        let otherKey = ParcelOpener(pair: joined.pair, parcelKeys: [joined.token.keyID: foreign])
        #expect(try fault(joined.opener, mailbox, 1_999) == nil)
        #expect(try fault(joined.opener, mailbox, 2_000) == .expired)
        #expect(try fault(joined.opener, other.token.mailbox, 1_999) == .otherMailbox)
        #expect(try fault(keyless, mailbox, 1_999) == .unknownKey)
        #expect(try fault(otherPair, mailbox, 1_999) == .notByRelay)
        #expect(try fault(otherKey, mailbox, 1_999) == .notByRelay)
    }

    @Test("Who knows the token alone cannot make a parcel")
    func tokenIsNotEnough() throws {
        let (joined, thief) = (try Joined(), try KeyPair())
        let shared = try #require(thief.shared(with: joined.token.publicKey))
        let text = joined.parcel().bytes
        let guesses = [
            shared,
            SealKey.grant(shared, sender: thief.publicKey, device: joined.token.publicKey),
        ]
        for key in guesses {
            let forged = SealedForm(
                text, keyID: joined.token.keyID, sender: thief.publicKey, key: key)
            let fault = try thrown(ParcelFault.self) {
                try joined.opener.open(forged.bytes, in: joined.token.mailbox, at: 0)
            }
            #expect(fault == .notByRelay)
        }
    }

    @Test("No parcel with a flipped bit opens, nor one that was cut or lengthened")
    func tampered() throws {
        let opener = try Vector.opener()
        let mailbox = MailboxID(of: try Vector.device().publicKey)
        let sealed = try Vector.bytes(Vector.parcel)
        for bit in 0..<sealed.count * 8 {
            var forged = sealed
            forged[bit / 8] ^= 1 << UInt8(bit % 8)
            let fault = try thrown(ParcelFault.self) {
                try opener.open(forged, in: mailbox, at: 0)
            }
            let expected: ParcelFault = [.malformed, .unknownKey][safe: bit / 8] ?? .notByRelay
            #expect(fault == expected, "bit \(bit)")
        }
        for bytes in [[], Array(sealed.dropLast()), sealed + [0], Array(sealed.prefix(58))] {
            #expect(throws: ParcelFault.self) { try opener.open(bytes, in: mailbox, at: 0) }
        }
        let huge = sealed + [UInt8](repeating: 0, count: 66 << 10)
        let fault = try thrown(ParcelFault.self) { try opener.open(huge, in: mailbox, at: 0) }
        #expect(fault == .malformed)
    }

    @Test("What is sealed but no parcel is refused")
    func malformed() throws {
        let joined = try Joined()
        let good = joined.parcel().bytes
        let dropped = joined.parcel(.notice(.dropped(1))).bytes
        var (late, early) = (good, good)
        late[33] = 0x7F
        early[41] = 0xFF
        let large = good + [UInt8](repeating: 1, count: PushRequest.limit)
        let texts: [[UInt8]] = [
            [], [0], Array(good.prefix(Parcel.headSize - 1)), [9] + Array(good.dropFirst()),
            Challenge.bytes(of: [UInt8](0..<32)), Array(dropped.dropLast()), dropped + [0], late,
            early, large,
        ]
        for text in texts { #expect(Parcel(text) == nil) }
        #expect(Parcel(good) == joined.parcel(.push(Array("{}".utf8))).with(id: good))
    }

    @Test("What cannot be sealed says why")
    func sealErrors() throws {
        let (joined, other) = (try Joined(), try Joined())
        let sealer = ParcelSealer(ring: joined.ring)
        let fault: (Parcel, PushToken) throws -> SealError? = { parcel, token in
            try thrown(SealError.self) { try sealer.seal(parcel, for: token, at: 0) }
        }
        let large = joined.parcel(.push([UInt8](repeating: 1, count: PushRequest.limit + 1)))
        #expect(try fault(joined.parcel(), joined.token) == nil)
        #expect(try fault(large, joined.token) == .tooLarge)
        #expect(try fault(joined.parcel(), other.token) == .otherMailbox)
        let foreign = PushToken(
            keyID: joined.token.keyID &+ 1, generation: 1, publicKey: joined.pair.publicKey, mac: []
        )
        #expect(try fault(joined.parcel(), foreign) == .foreignToken)
        let zero = try #require(PublicKey([UInt8](repeating: 0, count: 32)))
        let weak = PushToken(keyID: joined.token.keyID, generation: 1, publicKey: zero, mac: [])
        let toWeak = Parcel(
            id: joined.parcel().id, mailbox: weak.mailbox, arrived: 0, expires: 1,
            content: .push([]))
        #expect(try fault(toWeak, weak) == .unusableKey)
    }
}

extension Parcel {
    /// The same with the id of a parcel's bytes.
    fileprivate func with(id bytes: [UInt8]) -> Parcel? {
        MessageID(bytes: Array(bytes[1..<17])).map {
            Parcel(id: $0, mailbox: mailbox, arrived: arrived, expires: expires, content: content)
        }
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? {
        indices.contains(index) ? self[index] : nil
    }
}
