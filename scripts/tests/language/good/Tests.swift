import Testing

let word = "word"

/// weak let, and @Test("\(word)", arguments: [1,]) in a comment.
@Suite struct GoodTests {
    @Test("a value is \"as \\(it)\" is", arguments: ["a" + word, #"\(raw)"#, "(", "a,)"])
    func value(of text: String) throws {
        let text = "weak let, #expect(throws: \(word))"
        #expect(throws: Failure.self) { try fail(text) }
        let error = try thrown(Failure.self) { try fail(text) }
        #expect(error?.text == "\(word)")
        for each in [1, 2] { #expect(throws: Failure.self) { try fail("\(each)") } }
        do {
            _ = try fail(text)
        } catch {
            #expect(throws: Failure.self) { try fail(text) }
        }
        list(
            [
                1, 2,
            ])
    }

    @Test("what waits") func waits() async throws {
        weak var gone: AnyObject?
        await #expect(throws: Failure.self) { try await fail() }
        try #require(throws: Failure.self) {
            try fail("\(gone)")
        }
    }

    func `default`() {}
}
