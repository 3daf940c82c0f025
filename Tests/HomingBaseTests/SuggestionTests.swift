import HomingBase
import Testing

struct SuggestionTests {
    @Test(
        "a slip is forgiven: a letter missing, too many, wrong, or two swapped; capitals too",
        arguments: ["statu", "statuss", "stayus", "stauts", "STATUS"])
    func slips(_ word: String) {
        #expect(Suggestion.nearest(to: word, among: ["register", "status", "send"]) == "status")
    }

    @Test(
        "another word is not forced on anybody", arguments: ["", "x", "frobnicate", "st", "usatts"])
    func unrelated(_ word: String) {
        #expect(Suggestion.nearest(to: word, among: ["register", "status", "send"]) == nil)
    }

    @Test("the nearest wins, and of equals the first")
    func nearest() {
        #expect(
            Suggestion.nearest(to: "batch_metred", among: ["batch", "batch_metered"])
                == "batch_metered")
        #expect(Suggestion.nearest(to: "pors", among: ["port", "pore"]) == "port")
        #expect(Suggestion.nearest(to: "port", among: []) == nil)
    }

    @Test("a swap counts as one slip, so a short word with one is still known")
    func swap() {
        #expect(Suggestion.nearest(to: "hsot", among: ["host"]) == "host")
        #expect(Suggestion.nearest(to: "tohs", among: ["host"]) == nil)
    }

    @Test("a very long word costs nothing")
    func long() {
        let word = String(repeating: "a", count: 1_000_000)
        #expect(Suggestion.nearest(to: word, among: [word]) == nil)
    }

    @Test("quoting shows what cannot be seen, on one line, and ends in time")
    func quoting() {
        #expect(quoted("a b") == "\"a b\"")
        #expect(quoted("a\nb\u{A0}\u{200B}") == "\"a\\u{a}b\\u{a0}\\u{200b}\"")
        #expect(quoted(String(repeating: "x", count: 100)).count == 63)
    }

    @Test("wrapping breaks at blanks, keeps empty lines, and leaves long words whole")
    func wrapping() {
        #expect(wrapped("aa bb cc", width: 5) == ["aa bb", "cc"])
        #expect(wrapped("aa\n\nbb", width: 5) == ["aa", "", "bb"])
        #expect(wrapped("aaaaaaaa b", width: 5) == ["aaaaaaaa", "b"])
    }
}
