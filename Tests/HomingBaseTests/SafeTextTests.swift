import HomingBase
import Testing

/// Text from elsewhere, as a terminal may have it.
@Suite struct SafeTextTests {
    /// C0, DEL, C1, other line ends, and what changes the direction of writing.
    private static let orders: [ClosedRange<UInt32>] = [
        0...0x1f, 0x7f...0x9f, 0x61c...0x61c, 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069,
    ]

    @Test("No scalar that a terminal obeys is left, and every other one is")
    func everyScalar() {
        for value in UInt32(0)...0x2_ffff {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = String(String.UnicodeScalarView([scalar]))
            let isOrder = Self.orders.contains { $0.contains(value) }
            let safe = isOrder ? "\u{FFFD}" : text
            if SafeText.line(text) != safe { Issue.record("line: \(value)") }
            let keeps = value == 0x0a || value == 0x09
            if SafeText.lines(text) != (keeps ? text : safe) { Issue.record("lines: \(value)") }
        }
    }

    @Test("A line is cut before a scalar")
    func limit() {
        #expect(SafeText.line("aäb", limit: 2) == "a")
        #expect(SafeText.line("aäb", limit: 3) == "aä")
        #expect(SafeText.line("a\nb", limit: 4) == "a\u{FFFD}")
    }

    @Test("JSON keeps its meaning")
    func json() {
        let text = "{\n  \"a\": \"x\u{9b}2J\u{7f}\u{202e}ä\"\n}"
        #expect(
            SafeText.json(text) == "{\n  \"a\": \"x\\u009b2J\\u007f\\u202eä\"\n}")
    }
}
