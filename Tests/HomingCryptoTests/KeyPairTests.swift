import HomingCrypto
import Testing

/// RFC 7748, 6.1: the pairs of Alice and Bob.
private enum Vector {
    static let secret = "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"
    static let publicKey = "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"
    static let other = "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"
    /// HSalsa20 of the RFC's 4a5d9d5b…, as NaCl has it in its own test of crypto_box ("firstkey").
    static let shared = "1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389"

    /// All keys of low order (cr.yp.to/ecdh.html): 0, 1, two of order 8, and 2²⁵⁵ − 20 to − 18.
    static let lowOrder = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ]
}

@Suite("Key pairs of X25519")
struct KeyPairTests {
    private func bob() throws -> KeyPair {
        KeyPair(secret: try SecretKey(hexadecimal: Vector.secret))
    }

    private func publicKey(_ text: String) throws -> PublicKey {
        try #require(PublicKey(try bytes(text)))
    }

    private func bytes(_ text: String) throws -> [UInt8] {
        try #require(DerivedKey(hexadecimal: text)).bytes
    }

    @Test("the vectors of RFC 7748 come out")
    func vectors() throws {
        let bob = try bob()
        #expect(try bob.publicKey == publicKey(Vector.publicKey))
        let shared = bob.shared(with: try publicKey(Vector.other))
        #expect(shared?.hexadecimal == Vector.shared)
    }

    @Test("both owners make the same key, and a third makes another")
    func agreement() throws {
        let (one, other, third) = (try KeyPair(), try KeyPair(), try KeyPair())
        let key = try #require(one.shared(with: other.publicKey))
        #expect(other.shared(with: one.publicKey) == key)
        #expect(third.shared(with: one.publicKey) != key)
        #expect(one.publicKey != other.publicKey)
    }

    @Test("a pair whose secret was kept is the same pair")
    func kept() throws {
        let pair = try KeyPair()
        let again = KeyPair(secret: try SecretKey(hexadecimal: pair.secret.hexadecimal))
        #expect(again.publicKey == pair.publicKey)
    }

    @Test(
        "a key of low order makes no key, nor does its twin with the top bit",
        arguments: Vector.lowOrder)
    func lowOrder(text: String) throws {
        var bytes = try bytes(text)
        for _ in 0..<2 {
            let key = try #require(PublicKey(bytes))
            #expect(!key.isUsable)
            #expect(try KeyPair().shared(with: key) == nil)
            bytes[31] ^= 0x80
        }
    }

    @Test("any other key is usable")
    func usable() throws {
        #expect(try publicKey(Vector.publicKey).isUsable)
        for _ in 0..<100 { #expect(try KeyPair().publicKey.isUsable) }
    }

    @Test("a public key has 32 bytes")
    func size() {
        for count in [0, 1, 31, 33, 64] {
            #expect(PublicKey([UInt8](repeating: 9, count: count)) == nil)
        }
    }

    @Test("neither a pair nor a key it makes prints a secret")
    func unprintable() throws {
        let bob = try bob()
        let shared = try #require(bob.shared(with: try publicKey(Vector.other)))
        var text = "\(bob) \(String(reflecting: bob)) \(shared) \(String(reflecting: shared))"
        dump(bob, to: &text)
        dump(shared, to: &text)
        dump(SharedBox(key: shared), to: &text)
        #expect(text.contains("SecretKey(…)") && text.contains("DerivedKey(…)"))
        let firstBytes = [Vector.secret, Vector.shared].map { String($0.prefix(8)) }
        for bytes in firstBytes { #expect(!text.lowercased().contains(bytes)) }
        // The first bytes of the secret and of the shared key, as a list of numbers.
        #expect(!text.contains("93, 171") && !text.contains("27, 39"))
    }
}
