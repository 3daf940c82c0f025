import HomingCrypto
import HomingTestKit
import Testing

@testable import HomingRelayProtocol

@Suite struct SealerTests {
    private func sender(_ sealed: [UInt8]) throws -> PublicKey {
        try #require(SealedForm(sealed)).sender
    }

    @Test("A pair seals for an hour, and for all devices")
    func hour() throws {
        let ring = try TokenRing.random()
        let (one, other) = (try Joined(ring: ring), try Joined(ring: ring))
        let sealer = ParcelSealer(ring: ring)
        #expect(sealer.forgetsAt == nil)
        let first = try sender(try sealer.seal(one.parcel(), for: one.token, at: 100))
        #expect(sealer.forgetsAt == 3_700)
        let last = try sender(try sealer.seal(other.parcel(), for: other.token, at: 3_699))
        #expect(first == last)
        let next = try sender(try sealer.seal(one.parcel(), for: one.token, at: 3_700))
        #expect(next != first && sealer.forgetsAt == 7_300)
    }

    @Test("With the pair all keys are wiped, without waiting for another parcel")
    func wiped() throws {
        let joined = try Joined()
        let sealer = ParcelSealer(ring: joined.ring)
        _ = try sealer.seal(joined.parcel(), for: joined.token, at: 0)
        sealer.forgetOldPair(at: 3_599)
        #expect(sealer.rememberedKeys == 1)
        sealer.forgetOldPair(at: 3_600)
        #expect(sealer.rememberedKeys == 0 && sealer.forgetsAt == nil)
    }

    @Test("A clock that goes backwards does not prolong a pair's life")
    func backwards() throws {
        let joined = try Joined()
        let sealer = ParcelSealer(ring: joined.ring)
        let first = try sender(try sealer.seal(joined.parcel(), for: joined.token, at: 5_000))
        let next = try sender(try sealer.seal(joined.parcel(), for: joined.token, at: 10))
        #expect(first != next)
    }

    @Test("Each ring key has a key of its own for the same device")
    func rotation() throws {
        let old = try Joined()
        let ring = try old.ring.rotated()
        let next = try #require(ring.token(for: old.pair.publicKey, generation: 1))
        let sealer = ParcelSealer(ring: ring)
        let mailbox = old.token.mailbox
        let byOld = try sealer.seal(old.parcel(), for: old.token, at: 0)
        let byNext = try sealer.seal(old.parcel(), for: next, at: 0)
        #expect(sealer.rememberedKeys == 2)
        // A device that has not been told yet opens what Home Assistant posts with the old token.
        _ = try old.opener.open(byOld, in: mailbox, at: 0)
        let fault = try thrown(ParcelFault.self) { try old.opener.open(byNext, in: mailbox, at: 0) }
        #expect(fault == .unknownKey)
    }

    @Test("The keys that are used stay, and the number of all is bounded")
    func recentKeys() throws {
        var keys = RecentKeys(limit: 8)
        let recipients = try (0..<100).map { number in
            var bytes = [UInt8](repeating: 0, count: 32)
            bytes[0] = UInt8(number)
            return RecentKeys.Recipient(keyID: 1, publicKey: try #require(PublicKey(bytes)))
        }
        let key = try #require(DerivedKey([UInt8](0..<32)))
        for recipient in recipients {
            keys.remember(key, for: recipient)
            #expect(keys.key(for: recipients[0]) != nil)
            #expect(keys.count <= 8)
        }
        #expect(keys.key(for: recipients[99]) != nil && keys.key(for: recipients[50]) == nil)
    }
}

@Suite struct ChallengeTests {
    @Test("What PyNaCl asks is answered")
    func vector() throws {
        let proof = try Vector.opener().proof(of: try Vector.bytes(Vector.challenge))
        #expect(proof == [UInt8](0..<32))
    }

    @Test("Only the device with its key and its parcel key can answer")
    func proof() throws {
        let (joined, other) = (try Joined(), try Joined())
        let sealer = ParcelSealer(ring: joined.ring)
        let challenge = try sealer.challenge(for: joined.token, at: 0)
        let proof = try joined.opener.proof(of: challenge.sealed)
        #expect(challenge.isProven(by: proof))
        #expect(throws: ParcelFault.self) { try other.opener.proof(of: challenge.sealed) }
        #expect(!challenge.isProven(by: []) && !challenge.isProven(by: proof + [0]))
        #expect(!challenge.isProven(by: [UInt8](repeating: 0, count: 32)))
        let next = try sealer.challenge(for: joined.token, at: 0)
        #expect(!next.isProven(by: proof))
    }

    @Test("A parcel is no challenge, and a challenge no parcel")
    func purposes() throws {
        let joined = try Joined()
        let sealer = ParcelSealer(ring: joined.ring)
        // Of the same length as a challenge.
        let parcel = try sealer.seal(joined.parcel(.push([])), for: joined.token, at: 0)
        #expect(try thrown(ParcelFault.self) { try joined.opener.proof(of: parcel) } == .malformed)
        let challenge = try sealer.challenge(for: joined.token, at: 0)
        let fault = try thrown(ParcelFault.self) {
            try joined.opener.open(challenge.sealed, in: joined.token.mailbox, at: 0)
        }
        #expect(fault == .malformed)
        for purpose: Purpose in [.push, .limitReached, .dropped, .grant] {
            #expect(Challenge.proof(in: [purpose.rawValue] + [UInt8](0..<32)) == nil)
        }
        #expect(Challenge.proof(in: Challenge.bytes(of: [UInt8](0..<31))) == nil)
    }
}

@Suite struct GrantTests {
    @Test("What PyNaCl granted opens")
    func vector() throws {
        let grant = try ParcelOpener(pair: try Vector.device()).grant(
            try Vector.bytes(Vector.grant))
        #expect(grant.token.text == Vector.token)
        #expect(grant.parcelKey.hexadecimal == Vector.parcelKey)
    }

    @Test("A device that joins gets the token and the key that opens its parcels")
    func grant() throws {
        let joined = try Joined()
        let sealer = ParcelSealer(ring: joined.ring)
        let sealed = try sealer.grant(joined.token, at: 0)
        let grant = try ParcelOpener(pair: joined.pair).grant(sealed)
        #expect(grant.token == joined.token)
        let opener = ParcelOpener(
            pair: joined.pair, parcelKeys: [grant.token.keyID: grant.parcelKey])
        let parcel = joined.parcel()
        let bytes = try sealer.seal(parcel, for: joined.token, at: 0)
        #expect(try opener.open(bytes, in: joined.token.mailbox, at: 0) == parcel)
        let stranger = ParcelOpener(pair: try KeyPair())
        #expect(try thrown(ParcelFault.self) { try stranger.grant(sealed) } == .notByRelay)
    }

    @Test("The next token comes sealed by who made the present one")
    func renewal() throws {
        let joined = try Joined()
        let ring = try joined.ring.rotated()
        let next = try #require(ring.token(for: joined.pair.publicKey, generation: 2))
        let sealer = ParcelSealer(ring: ring)
        let renewal = try sealer.renewal(of: joined.token, by: next, at: 0)
        let grant = try joined.opener.renewal(renewal)
        #expect(grant.token == next)
        #expect(grant.parcelKey == ring.parcelKey(of: next.mailbox, keyID: next.keyID))
        // A grant needs no parcel key, so that anybody who knows the public key could make one.
        let open = try sealer.grant(next, at: 0)
        #expect(throws: ParcelFault.self) { try joined.opener.renewal(open) }
    }

    @Test("No device is given another's token")
    func others() throws {
        let ring = try TokenRing.random()
        let (joined, other) = (try Joined(ring: ring), try Joined(ring: ring))
        let sealer = ParcelSealer(ring: ring)
        let error = try thrown(SealError.self) {
            try sealer.renewal(of: joined.token, by: other.token, at: 0)
        }
        #expect(error == .otherMailbox)
        let foreign = try Joined()
        let token = try #require(
            try TokenRing.random(id: 200).token(for: foreign.pair.publicKey, generation: 1))
        #expect(try thrown(SealError.self) { try sealer.grant(token, at: 0) } == .foreignToken)
    }

    @Test("A device takes no grant for another key, nor one under another key id")
    func mismatched() throws {
        let (joined, sender) = (try Joined(), try KeyPair())
        let shared = try #require(sender.shared(with: joined.pair.publicKey))
        let key = SealKey.grant(
            shared, sender: sender.publicKey, device: joined.pair.publicKey)
        let fault: (PushToken, UInt8) throws -> ParcelFault? = { token, keyID in
            let form = SealedForm(
                Grant(token: token, parcelKey: shared).bytes, keyID: keyID,
                sender: sender.publicKey, key: key)
            return try thrown(ParcelFault.self) { try joined.opener.grant(form.bytes) }
        }
        let id = joined.token.keyID
        #expect(try fault(joined.token, id) == nil)
        #expect(try fault(joined.token, id &+ 1) == .malformed)
        #expect(try fault(try Joined().token, id) == .otherMailbox)
    }
}
