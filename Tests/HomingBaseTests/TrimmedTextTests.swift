import HomingBase
import Testing

/// White space around a text.
@Suite struct TrimmedTextTests {
    @Test("White space goes at both ends, and nowhere else")
    func bothEnds() {
        let cases = [
            ("", ""), (" \t\r\n\u{2003}", ""), ("a", "a"), (" a", "a"), ("a\r\n", "a"),
            ("\u{A0}a b \u{2009}", "a b"), (" ä\u{301} ", "ä\u{301}"),
        ]
        for (text, trimmed) in cases {
            #expect(text.trimmed == trimmed)
            #expect("x\(text)x".dropFirst().dropLast().trimmed == trimmed)
        }
    }
}
