import HomingCrypto
import Testing

/// Hashes that Python's hashlib.blake2b makes under the key of the bytes 0 to 31.
private let vectors: [(text: [UInt8], short: String, long: String)] = [
    (
        [], "3daf97bce7888fd59773c66bf647459c",
        "4e51e7a913fc80137da52880fecca175bf81e117d5c68126dc2774033517ea0d"
    ),
    (
        [UInt8](0..<64), "d70096919189ec3b386b4de2e4cf86d4",
        "7f46f043d63dfb3c9b1102c8824b632cae1fce453e3c0e9dc9e7113f3c1acc36"
    ),
    (
        Array("Zuhause".utf8), "2e7e67e228cc8b991ff20b281efb1952",
        "fb31994da7baa6a8f6ca34f1819a49c2b3d5f223f3b07717eb49555928746c16"
    ),
]

@Suite("Hashes under a key")
struct KeyedHashTests {
    private func secret() throws -> SecretKey {
        try SecretKey { memory in for index in 0..<32 { memory[index] = UInt8(index) } }
    }

    private func derived() throws -> DerivedKey { try #require(DerivedKey([UInt8](0..<32))) }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test("they are those of hashlib, under either kind of key")
    func hashes() throws {
        for vector in vectors {
            let short = KeyedHash.hash(vector.text, under: try secret(), size: .short)
            #expect(hexadecimal(short) == vector.short)
            let long = KeyedHash.hash(vector.text, under: try derived(), size: .long)
            #expect(hexadecimal(long) == vector.long)
        }
    }

    @Test("a use alone is a key that everybody has")
    func use() {
        let hash = KeyedHash.hash(Array("abc".utf8), use: "homing test use", size: .short)
        #expect(hexadecimal(hash) == "83be01a0a41033a1cad02b4646cc08c7")
        let other = KeyedHash.hash(Array("abc".utf8), use: "homing test usf", size: .short)
        #expect(other != hash)
    }

    @Test("a key of a use is the long hash of the use")
    func keyOfUse() throws {
        let key = KeyedHash.key(for: "Zuhause", of: try secret())
        #expect(key.hexadecimal == vectors[2].long)
        let bytes = KeyedHash.key(for: vectors[1].text, of: try derived())
        #expect(bytes.hexadecimal == vectors[1].long)
    }

    @Test("a key of two keys takes both")
    func keyOfTwo() throws {
        let second = try #require(DerivedKey([UInt8](32..<64)))
        let key = KeyedHash.key(for: Array("and bytes".utf8), of: try derived(), and: second)
        #expect(
            key.hexadecimal
                == "aa06da6ddd89e2039d29c298b4bed25c90f15da99b8084830c3ece99ddc1876d")
    }

    @Test("texts are equal byte for byte, and of the same length")
    func equality() {
        let text = [UInt8](0..<16)
        #expect(KeyedHash.areEqual(text, Array(text)))
        for index in text.indices {
            var other = text
            other[index] ^= 0x80
            #expect(!KeyedHash.areEqual(text, other))
        }
        #expect(!KeyedHash.areEqual(text, Array(text.dropLast())))
        #expect(KeyedHash.areEqual([], []))
    }
}
