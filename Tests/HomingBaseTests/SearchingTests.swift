import HomingBase
import HomingTestKit
import Testing

/// Searching by bytes.
@Suite struct SearchingTests {
    @Test(
        "A part is found where it first and last is",
        arguments: [
            ("https://a/b", "://", 5, 5), ("aXaXa", "aXa", 0, 0), ("aaab", "aab", 1, 1),
            ("abcabc", "abc", 0, 3), ("éa", "a", 2, 2), ("x", "x", 0, 0),
        ])
    func found(_ text: String, _ part: String, first: Int, last: Int) throws {
        let place = try #require(text.firstPlace(of: part))
        #expect(text[place] == part)
        #expect(text.utf8.distance(from: text.startIndex, to: place.lowerBound) == first)
        let other = try #require(text.lastPlace(of: part))
        #expect(text.utf8.distance(from: text.startIndex, to: other.lowerBound) == last)
    }

    @Test(
        "A part that is not there is not found",
        arguments: [("", "a"), ("ab", "abc"), ("abab", "aa"), ("é", "e"), ("a", "aa")])
    func missing(_ text: String, _ part: String) {
        #expect(text.firstPlace(of: part) == nil)
        #expect(text.lastPlace(of: part) == nil)
        #expect(!text.holds(part))
        #expect(text.replacingEach(part, with: "!") == text)
        #expect(text.pieces(between: part) == [text[...]])
    }

    @Test("A mark that combines with a character does not hide the character")
    func combined() {
        #expect("<\u{338}b>".replacingEach("<", with: "&lt;") == "&lt;\u{338}b>")
        #expect("secret\u{301}".replacingEach("secret", with: "…") == "…\u{301}")
    }

    @Test("Nothing stands between the letters of a text, and an empty part changes nothing")
    func empty() {
        #expect("ab".replacingEach("", with: "!") == "ab")
        #expect("ab".lastPlace(of: "") == nil)
        #expect("".replacingEach("a", with: "b").isEmpty)
    }

    @Test("Pieces and parts together are the text, for random texts")
    func random() {
        let seed = TestRun.seed()
        var random = SeededRandom(seed: seed)
        for _ in 0..<2000 {
            let text = String(
                (0..<Int.random(in: 0...12, using: &random)).map { _ in
                    "aäb".randomElement(using: &random) ?? "a"
                })
            let part = String(
                (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    "aäb".randomElement(using: &random) ?? "a"
                })
            let pieces = text.pieces(between: part)
            #expect(pieces.joined(separator: part) == text)
            #expect(pieces.dropLast().allSatisfy { !$0.holds(part) }, "seed \(seed)")
            #expect(pieces.last?.holds(part) == false)
            #expect((pieces.count == 1) == (text.firstPlace(of: part) == nil))
        }
    }

    @Test("64 kB that nearly match cost less than 50 ms", arguments: [1, 60, 32_768])
    func cost(length: Int) {
        let text = String(repeating: "a", count: 65_536)
        let part = String(repeating: "a", count: length) + "b"
        let taken = (1...3).map { _ in
            ContinuousClock().measure { #expect(!text.holds(part)) }
        }
        #expect(taken.contains { $0 < .milliseconds(50) }, "\(taken)")
    }

    @Test("The first place is that of a plain search, for random texts that repeat themselves")
    func plain() {
        let seed = TestRun.seed()
        var random = SeededRandom(seed: seed)
        for _ in 0..<5000 {
            let (text, part) = (
                (0..<Int.random(in: 0...20, using: &random)).map { _ in
                    UInt8.random(in: 0...1, using: &random)
                },
                (0..<Int.random(in: 0...6, using: &random)).map { _ in
                    UInt8.random(in: 0...1, using: &random)
                }
            )
            let starts = 0...max(0, text.count)
            let wanted = starts.first { text[$0...].starts(with: part) }
            #expect(text.firstPlace(of: part)?.lowerBound == wanted, "seed \(seed)")
            #expect(text.firstPlace(of: part)?.count ?? part.count == part.count)
        }
    }
}
