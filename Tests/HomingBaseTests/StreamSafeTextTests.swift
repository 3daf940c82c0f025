import HomingBase
import Testing

/// Rows of combining marks are cut where no language has them.
@Suite struct StreamSafeTextTests {
    private static func row(_ count: Int, of mark: Character = "\u{301}") -> String {
        "e" + String(repeating: mark, count: count)
    }

    private static func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }

    @Test(
        "Text of people is left as it is",
        arguments: [
            "", "Zuhause", "Grüße", "日本語", "한국어", "हिन्दी", "Tiếng Việt", "ﷺ", "👩‍👩‍👧‍👦",
            row(30), "Z̷̢̛a̶͓͝l̸̰̈g̷̦̿o̶̧̓",
        ])
    func kept(text: String) {
        #expect(Self.scalars(text.streamSafe) == Self.scalars(text))
    }

    @Test(
        "After thirty marks comes a joiner, however many follow",
        arguments: ["\u{301}", "\u{327}", "\u{344}", "\u{1D165}"])
    func cut(mark: Character) {
        for count in [31, 60, 61, 1000] {
            let text = Self.scalars(Self.row(count, of: mark).streamSafe)
            let rows = text.split(separator: "\u{34F}", omittingEmptySubsequences: false)
            #expect(rows.first?.count == 31 && rows.dropFirst().allSatisfy { $0.count <= 30 })
            #expect(text.filter { $0 != "\u{34F}" } == Self.scalars(Self.row(count, of: mark)))
        }
    }

    @Test("Text that is safe is not changed again")
    func again() {
        let safe = Self.row(1000).streamSafe
        #expect(Self.scalars(safe.streamSafe) == Self.scalars(safe))
    }
}
