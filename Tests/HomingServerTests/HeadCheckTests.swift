import Testing

@testable import HomingServer

/// Parts of a head that two servers could read differently.
@Suite struct HeadCheckTests {
    private func fault(_ fields: [(String, String)], version: String = "HTTP/1.1") -> String? {
        check(fields).fault(version: version)
    }

    private func check(_ fields: [(String, String)]) -> HeadCheck {
        var check = HeadCheck()
        for (name, value) in fields { check.checkField(Array(name.utf8), Array(value.utf8)) }
        return check
    }

    @Test("What Home Assistant sends is taken")
    func homeAssistant() {
        let fields = [
            ("Host", "relay.example:8126"), ("User-Agent", "HomeAssistant/2026.11.0 aiohttp/3.12"),
            ("Accept", "*/*"), ("Accept-Encoding", "gzip, deflate, br"), ("Content-Length", "412"),
            ("Content-Type", "application/json"),
        ]
        #expect(fault(fields) == nil && check(fields).declared == 412)
        #expect(fault([("Host", "h"), ("Transfer-Encoding", "Chunked")]) == nil)
        #expect(fault([], version: "HTTP/1.0") == nil)
        #expect(fault([("Content-Length", "0")], version: "HTTP/1.0") == nil)
    }

    @Test(
        "What could be understood in two ways is not taken",
        arguments: [
            ([], "no Host"), ([("Host", "a"), ("host", "a")], "several Host"),
            (
                [("Host", "a"), ("Content-Length", "1"), ("content-LENGTH", "1")],
                "several Content-L"
            ),
            (
                [
                    ("Host", "a"), ("Transfer-Encoding", "chunked"),
                    ("Transfer-Encoding", "chunked"),
                ],
                "several Transfer"
            ),
            ([("Host", "a"), ("Content-Length", "1"), ("Transfer-Encoding", "chunked")], "both"),
            ([("Host", "a"), ("Transfer-Encoding", "gzip, chunked")], "chunked alone"),
            ([("Host", "a"), ("Transfer-Encoding", "identity")], "chunked alone"),
            ([("Host", "a"), ("Transfer-Encoding", "chunked ")], "chunked alone"),
            ([("Host", "a"), ("Transfer-Encoding", "\u{b}chunked")], "control"),
            ([("Host", "a"), ("Content-Length", "+1")], "no number"),
            ([("Host", "a"), ("Content-Length", "1,1")], "no number"),
            ([("Host", "a"), ("Content-Length", "")], "no number"),
            ([("Host", "a"), ("Content-Length", "9999999999999999999")], "no number"),
            ([("Host", "a"), ("Content-Length ", "1")], "name"),
            ([("Host", "a"), ("", "1")], "name"),
            ([("Host", "a"), ("a b", "1")], "name"), ([("Host", "a"), ("a\u{0}", "1")], "name"),
            ([("Host", "a"), ("ä", "1")], "name"), ([("Host", "a"), ("b", "1\r2")], "control"),
            ([("Host", "a\u{7f}")], "control"),
        ] as [([(String, String)], String)])
    func faults(fields: [(String, String)], word: String) throws {
        let found = try #require(fault(fields))
        #expect(found.contains(word), "\(found)")
    }

    @Test("HTTP/1.0 has no chunks")
    func old() {
        #expect(fault([("Transfer-Encoding", "chunked")], version: "HTTP/1.0") != nil)
    }

    @Test("Forwarded addresses are kept in order, and so is the wish for a word")
    func kept() {
        let kept = check([
            ("X-Forwarded-For", "a, b"), ("x-forwarded-for", "c"), ("Expect", "100-continue"),
        ])
        #expect(kept.forwards == ["a, b", "c"] && kept.expectsWord)
        #expect(!check([("Expected", "x")]).expectsWord)
    }
}
