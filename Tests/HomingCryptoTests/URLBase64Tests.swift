import HomingCrypto
import Testing

@Suite("Base64 for URLs")
struct URLBase64Tests {
    /// RFC 4648, section 10, without padding, and the two characters that are this alphabet's own.
    private static let vectors: [(bytes: [UInt8], text: String)] =
        ["": "", "f": "Zg", "fo": "Zm8", "foo": "Zm9v", "foob": "Zm9vYg", "fooba": "Zm9vYmE"]
        .map { (Array($0.key.utf8), $0.value) } + [([0xFB, 0xFF, 0xFE], "-__-")]

    @Test("the vectors come out, and come back")
    func vectors() {
        for (bytes, text) in Self.vectors {
            #expect(URLBase64.text(of: bytes) == text)
            #expect(URLBase64.bytes(of: text) == bytes)
        }
    }

    @Test(
        "any other text is refused",
        arguments: [
            "Z", "Zg==", "Zg=", "Zh", "Zm9", "Zm9vZ", "+//+", "Zm 9v", " Zm9v", "Zm9v\n", "Zm9v\0",
            "Zm9ü", "=", "Zm.v",
        ])
    func strict(text: String) { #expect(URLBase64.bytes(of: text) == nil) }

    @Test("no letter beyond ASCII stands for one of the alphabet, which libsodium 1.0.18 lets pass")
    func beyondASCII() throws {
        // In place of two characters, so that the length fits.
        for number: UInt32 in 0x80...0x7FF {
            let letter = try #require(Unicode.Scalar(number))
            #expect(URLBase64.bytes(of: "Zm\(letter)") == nil, "U+\(String(number, radix: 16))")
        }
    }
}
