import HomingBase
import HomingCrypto
import HomingTestKit
import Testing

@testable import HomingRelayProtocol

@Suite struct TokenTests {
    @Test("The ring of the vector makes the token of the vector, and knows it")
    func vector() throws {
        let ring = try Vector.ring()
        let token = try #require(ring.token(for: try Vector.device().publicKey, generation: 258))
        #expect(token.text == Vector.token)
        let read = try #require(PushToken(Vector.token))
        #expect(read == token && ring.isOwn(read) && !ring.isOld(read))
        #expect(read.keyID == 7 && read.generation == 258)
        #expect(hexadecimal(read.mailbox.bytes) == Vector.mailbox)
    }

    @Test("Every token comes back from its text")
    func roundTrip() throws {
        let seed = TestRun.seed()
        var random = SeededRandom(seed: seed)
        for _ in 0..<200 {
            let ring = try TokenRing.random(id: UInt8.random(in: 0...255, using: &random))
            let generation = UInt16.random(in: 0...UInt16.max, using: &random)
            let pair = try KeyPair()
            let token = try #require(ring.token(for: pair.publicKey, generation: generation))
            #expect(token.text.utf8.count == PushToken.size)
            #expect(PushToken(token.text) == token, "HOMING_SEED=\(seed)")
            #expect(PushToken(authorization: "Bearer \(token.text)") == token)
            #expect(token.generation == generation && token.publicKey == pair.publicKey)
            #expect(ring.isOwn(token), "HOMING_SEED=\(seed)")
            #expect(try !TokenRing.random(id: token.keyID).isOwn(token))
        }
    }

    @Test("No token with a flipped bit is taken, be it in the text or in the bytes")
    func bitFlips() throws {
        let ring = try Vector.ring()
        let isTaken: (String) -> Bool = { PushToken($0).map { ring.isOwn($0) } ?? false }
        #expect(isTaken(Vector.token))
        for bit in 0..<Vector.token.utf8.count * 8 {
            var text = Array(Vector.token.utf8)
            text[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!isTaken(String(decoding: text, as: UTF8.self)), "bit \(bit)")
        }
        let bytes = try Vector.bytes(String(Vector.token.dropFirst(4)))
        for bit in 0..<bytes.count * 8 {
            var forged = bytes
            forged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!isTaken("hr1." + URLBase64.text(of: forged)), "bit \(bit) of the bytes")
        }
    }

    private static let otherTexts: [String] = {
        let token = Vector.token
        let rest = String(token.dropFirst(4))
        return [
            "", "hr1.", "\(token)A", String(token.dropLast()), " \(token)", "hr2.\(rest)",
            "HR1.\(rest)", "\(token.dropLast(4))====", String(repeating: "ü", count: 36),
        ]
    }()

    @Test("What has not the form is none", arguments: otherTexts)
    func malformed(text: String) {
        #expect(PushToken(text) == nil)
        #expect(PushToken(authorization: text) == nil)
    }

    @Test("The scheme of the header may have any case")
    func scheme() {
        #expect(PushToken(authorization: "bearer " + Vector.token) != nil)
        for scheme in ["Bearer", "Basics ", "Bearer  ", ""] {
            #expect(PushToken(authorization: scheme + Vector.token) == nil)
        }
    }

    @Test("A key of low order gets no token, as anybody could read what is sealed for it")
    func lowOrder() throws {
        let ring = try TokenRing.random()
        for first: UInt8 in [0, 1] {
            let key = try #require(PublicKey([first] + [UInt8](repeating: 0, count: 31)))
            #expect(ring.token(for: key, generation: 1) == nil)
        }
    }
}
