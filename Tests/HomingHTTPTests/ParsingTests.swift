import HomingHTTP
import Testing

@Suite("Retry-After and redaction")
struct ParsingTests {
    /// 2026-08-01 12:00:00 UTC.
    private let now = 1_785_585_600.0

    @Test(
        "Retry-After reads as seconds from now",
        arguments: [
            ("0", 0), ("120", 120), ("  15 ", 15), ("20260801", 20_260_801),
            ("99999999999999999999999", 1e23),
            ("Sat, 01 Aug 2026 12:02:00 GMT", 120), ("Saturday, 01-Aug-26 12:02:00 GMT", 120),
            ("Sat Aug  1 12:02:00 2026", 120), ("Thu, 01 Jan 1970 00:00:01 GMT", 0),
        ] as [(String, Double)])
    func readable(text: String, seconds: Double) {
        #expect(RetryAfter.seconds(text, unixTime: now) == seconds)
    }

    @Test("what is neither is nothing", arguments: ["", " ", "-5", "soon", "1.5", "５", "12 min"])
    func unreadable(text: String) {
        #expect(RetryAfter.seconds(text, unixTime: now) == nil)
    }

    @Test("a text is shown without what the URL keeps secret")
    func redaction() {
        let url = "https://me:hunter22@ha.example:8443/api/webhook/0123456789abcdef?token=abc#frag"
        let parts = URLParts(url)
        #expect(parts.server == "ha.example:8443")
        let text =
            "at \(url) or /api/webhook/0123456789abcdef or 0123456789abcdef as me:hunter22"
            + " with token=abc and frag: an api error"
        let shown = parts.redacted(text)
        for secret in ["hunter22", "0123456789abcdef", "token=abc", "frag", "https:"] {
            #expect(!shown.contains(secret), "\(shown)")
        }
        #expect(shown.hasSuffix("an api error"))
    }

    @Test("a URL that cannot be read names no server")
    func unreadableURL() {
        #expect(URLParts("http://[::1/secretsecret").server == "the server")
    }
}
