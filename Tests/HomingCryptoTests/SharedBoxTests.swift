import HomingCrypto
import Testing

/// Result of PyNaCl's crypto_secretbox for "Back at home" under the key of the bytes 0 to 31.
private let vector = "qi4L7dBVOUjpeHoHcqP2Nwh2NhIaMM8KrjYcBA"

@Suite("Sealing under a derived key")
struct SharedBoxTests {
    private let text = Array("Back at home".utf8)

    private func box() throws -> SharedBox {
        SharedBox(key: try #require(DerivedKey([UInt8](0..<32))))
    }

    private func nonce() throws -> Nonce { try #require(Nonce([UInt8](0x40...0x57))) }

    @Test("the vector comes out, and opens")
    func vectors() throws {
        let sealed = try box().seal(text, nonce: try nonce())
        #expect(URLBase64.text(of: sealed) == vector)
        #expect(try box().open(sealed, nonce: try nonce()) == text)
        #expect(sealed.count == text.count + SharedBox.overhead)
    }

    @Test("nothing opens that is changed, cut, or of another key or nonce")
    func closed() throws {
        let (box, nonce) = (try box(), try nonce())
        let sealed = box.seal(text, nonce: nonce)
        for bit in 0..<sealed.count * 8 {
            var forged = sealed
            forged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(box.open(forged, nonce: nonce) == nil, "bit \(bit)")
        }
        for count in sealed.indices {
            #expect(box.open(Array(sealed.prefix(count)), nonce: nonce) == nil, "\(count) bytes")
        }
        #expect(box.open(sealed, nonce: Nonce()) == nil)
        let other = SharedBox(key: try #require(DerivedKey([UInt8](1...32))))
        #expect(other.open(sealed, nonce: nonce) == nil)
    }

    @Test("an empty text is sealed too")
    func empty() throws {
        let sealed = try box().seal([], nonce: try nonce())
        #expect(sealed.count == SharedBox.overhead)
        #expect(try box().open(sealed, nonce: try nonce()) == [])
    }
}

@Suite("Keys that are made of others")
struct DerivedKeyTests {
    @Test("a key is 32 bytes, or 64 hexadecimal characters")
    func shapes() throws {
        let key = try #require(DerivedKey([UInt8](0..<32)))
        #expect(DerivedKey(hexadecimal: key.hexadecimal) == key)
        #expect(DerivedKey(key.bytes) == key)
        for count in [0, 31, 33] { #expect(DerivedKey([UInt8](repeating: 1, count: count)) == nil) }
        #expect(DerivedKey(hexadecimal: String(key.hexadecimal.dropLast())) == nil)
        #expect(DerivedKey(hexadecimal: "") == nil)
    }

    @Test("keys are the same only if all bytes are")
    func equality() throws {
        let bytes = [UInt8](0..<32)
        let key = try #require(DerivedKey(bytes))
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 1
            #expect(DerivedKey(other) != key)
        }
    }

    @Test("new secret keys differ, and come back from their text")
    func secrets() throws {
        let keys = try (0..<100).map { _ in try SecretKey().hexadecimal }
        #expect(Set(keys).count == 100)
        #expect(try SecretKey(hexadecimal: keys[0]).hexadecimal == keys[0])
    }
}
