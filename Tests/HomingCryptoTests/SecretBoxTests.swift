import HomingCrypto
import Testing

/// Vectors of docs/ha-contract.md, section 4, which Home Assistant itself opens.
private enum Vector {
    static let secret = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    static let nonce = [UInt8](0x40...0x57)
    static let location = (
        plain: #"{"gps":[59.3293,18.0686],"gps_accuracy":5}"#,
        sealed: "QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXx8n4NZpCxoc4dFyAOvmptzE1MglJc4Fx82BfUlqwad3/D2hkW3"
            + "tplcj3RbqKhuI3t0EbcI3O5D5sMQ=="
    )
    static let nothing = (
        plain: "{}", sealed: "QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXg17aVUsfmrcgFZvvP1sYPjFq"
    )
}

@Suite("Sealing with secretbox")
struct SecretBoxTests {
    private func box(_ secret: String = Vector.secret) throws -> SecretBox {
        SecretBox(key: try SecretKey(hexadecimal: secret))
    }

    @Test("the vectors of Home Assistant's own sealing come out to the character")
    func sealsVectors() throws {
        let box = try box()
        let nonce = try #require(Nonce(Vector.nonce))
        for vector in [Vector.location, Vector.nothing] {
            #expect(box.seal(Array(vector.plain.utf8), nonce: nonce) == vector.sealed)
        }
    }

    @Test("the vectors open")
    func opensVectors() throws {
        for vector in [Vector.location, Vector.nothing] {
            #expect(try box().open(vector.sealed) == Array(vector.plain.utf8))
        }
    }

    @Test("a secret in capitals is the same key")
    func capitals() throws {
        #expect(try box(Vector.secret.uppercased()).open(Vector.nothing.sealed) == Array("{}".utf8))
    }

    @Test("what another key sealed does not open")
    func wrongKey() throws {
        let other = String(Vector.secret.reversed())
        #expect(try box(other).open(Vector.location.sealed) == nil)
    }

    @Test("one changed character anywhere closes it")
    func forged() throws {
        let box = try box()
        let sealed = Array(Vector.location.sealed.utf8)
        for index in sealed.indices {
            var forged = sealed
            forged[index] =
                forged[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(box.open(String(decoding: forged, as: UTF8.self)) == nil, "index \(index)")
        }
    }

    @Test("every shorter beginning of it stays closed")
    func truncated() throws {
        let box = try box()
        for length in 0..<Vector.location.sealed.utf8.count {
            #expect(box.open(String(Vector.location.sealed.prefix(length))) == nil, "\(length)")
        }
    }

    private static let otherTexts: [String] = {
        let sealed = Vector.nothing.sealed
        let padded = Vector.location.sealed
        // The URL-safe alphabet: this vector holds a slash.
        let urlSafe = String(padded.map { $0 == "/" ? "_" : $0 })
        return [
            "", "=", "====", "null", "{}", "ü", "\0", "QEFC Q0RF", "\(sealed)\n", " \(sealed)",
            "\(sealed)=", "\(sealed)\0", String(padded.dropLast(2)), String(padded.dropLast()),
            urlSafe,
        ]
    }()

    @Test("text that is not padded standard Base64 stays closed", arguments: otherTexts)
    func notBase64(text: String) throws {
        #expect(try box().open(text) == nil)
    }

    @Test("a nonce and a mac over nothing open to nothing")
    func emptyPlaintext() throws {
        let box = try box()
        let sealed = box.seal([])
        #expect(sealed.utf8.count == 56)
        #expect(box.open(sealed) == [])
    }

    @Test("the same text never looks the same twice")
    func freshNonces() throws {
        let box = try box()
        let sealed = Set((0..<500).map { _ in box.seal(Array("{}".utf8)) })
        #expect(sealed.count == 500)
    }

    @Test("what is sealed opens again, whatever it is")
    func roundTrip() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(state: seed)
        let secret = RandomToken.hex(bytes: SecretKey.size)
        let box = try box(secret)
        for _ in 0..<2000 {
            let plaintext = (0..<Int(random.next() % 700)).map { _ in UInt8(random.next() & 0xff) }
            let sealed = box.seal(plaintext)
            #expect(box.open(sealed) == plaintext, "seed \(seed), key \(secret)")
            #expect(sealed.utf8.count == (plaintext.count + 40 + 2) / 3 * 4, "seed \(seed)")
            #expect(sealed.utf8.allSatisfy(isStandardBase64), "seed \(seed)")
        }
    }

    private func isStandardBase64(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"),
            UInt8(ascii: "="):
            true
        default: false
        }
    }
}

/// A generator whose run is told by its seed.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
