import Testing

@testable import HomingSocket

/// A line, before it is known whether its sender may ask.
@Suite struct ReceivedRequestTests {
    private func request(_ line: String) throws -> ReceivedRequest<Lamp> {
        try ReceivedRequest(Array(line.utf8))
    }

    private func refusal(_ line: String) -> RequestRefusal? {
        do throws(RequestRefusal) {
            _ = try ReceivedRequest<Lamp>(Array(line.utf8))
            return nil
        } catch { return error }
    }

    @Test("The method is known while the parameters are of any shape, which only the verb minds")
    func methodFirst() throws {
        for params in ["5", "[[[[]]]]", #"{"isOn":5}"#, "null"] {
            let read = try request(#"{"v":1,"id":7,"method":"turn_lamp","params":\#(params)}"#)
            #expect(read.method == .turn && read.id == 7)
            #expect(throws: LineError.self) { try read.verb() }
        }
    }

    @Test("What is wrong is told with the request's number, where it has one")
    func refusals() {
        #expect(refusal(#"{"v":2,"id":7,"method":"look"}"#)?.id == 7)
        #expect(
            refusal(#"{"v":1,"id":7,"method":"fly"}"#)?.error.message
                == "the running lamp does not know this command")
        #expect(refusal(#"{"v":1,"id":7}"#)?.id == 7)
        #expect(refusal(#"{"v":1,"method":"look"}"#)?.id == 0)
        #expect(refusal("nonsense")?.id == 0)
        let deep = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
        #expect(refusal(#"{"v":1,"id":7,"method":"look","params":\#(deep)}"#)?.id == 0)
    }
}
