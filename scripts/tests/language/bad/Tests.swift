import Testing

let word = "word"

nonisolated struct Failure: Error {}

@Suite struct BadTests {
    @Test("an interpolation", arguments: ["a", "b \(word)", #"c \#(word)"#, ("(", "\(word))")])
    func arguments(of text: String) throws {
        let error = #expect(throws: Failure.self) { try fail(text) }
        let later =
            await #expect(throws: Failure.self) { try await fail(text) }
        #expect(#expect(throws: Failure.self) { try fail(text) }?.text == text)
        let required = try #require(throws: Failure.self) {
            try fail(text)
        }
        return #expect(throws: Failure.self) { try fail(text) }
    }

    @Test func `a name of words`() async {
        weak let gone: AnyObject? = nil
        nonisolated(unsafe) weak let away = gone
        list(1, "two",)
        list(
            1,
            "two",
        )
        await #expect(processExitsWith: .failure) { fatalError() }
    }

    @concurrent func elsewhere() async {}
    isolated deinit {}
}
