import HomingWebSocket
import Testing

/// The key of an upgrade: RFC 6455, section 4.
@Suite struct WebSocketKeyTests {
    @Test("The standard's key has the standard's answer")
    func example() {
        #expect(
            WebSocketKey.answer(to: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test(
        "A key is the Base64 of 16 bytes, and of nothing else",
        arguments: [
            ("dGhlIHNhbXBsZSBub25jZQ==", true), ("AAAAAAAAAAAAAAAAAAAAAA==", true), ("", false),
            ("dGhlIHNhbXBsZSBub25jZQ", false), ("dGhlIHNhbXBsZSBub25j", false),
            ("dGhlIHNhbXBsZSBub25jZVI=", false), ("dGhlIHNhbXBsZSBub25jZR==", false),
            ("dGhlIHNhbXBsZSBub25jZQ==\u{0}", false), (" dGhlIHNhbXBsZSBub25jZQ==", false),
        ])
    func valid(key: String, isValid: Bool) {
        #expect(WebSocketKey.isValid(key) == isValid)
    }
}
