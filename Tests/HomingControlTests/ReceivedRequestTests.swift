import Testing

@testable import HomingControl

/// A line of the control socket, before it is known whether its sender may ask.
@Suite struct ReceivedRequestTests {
    private func request(_ line: String) throws -> ReceivedRequest {
        try ReceivedRequest(Array(line.utf8))
    }

    private func refusal(_ line: String) -> ReceivedRequest.Refusal? {
        do throws(ReceivedRequest.Refusal) {
            _ = try ReceivedRequest(Array(line.utf8))
            return nil
        } catch { return error }
    }

    @Test("The method is known while the parameters are of any shape, which only the command minds")
    func methodFirst() throws {
        for params in ["5", "[[[[]]]]", #"{"domain":5}"#, "null"] {
            let read = try request(#"{"v":1,"id":7,"method":"call_service","params":\#(params)}"#)
            #expect(read.method == .callService && read.id == 7)
            #expect(throws: ControlError.self) { try read.command() }
        }
    }

    @Test("What is wrong is told with the request's number, where it has one")
    func refusals() {
        #expect(refusal(#"{"v":2,"id":7,"method":"status"}"#)?.id == 7)
        #expect(refusal(#"{"v":1,"id":7,"method":"fly"}"#)?.error.message == #"no method "fly""#)
        #expect(refusal(#"{"v":1,"id":7}"#)?.id == 7)
        #expect(refusal(#"{"v":1,"method":"status"}"#)?.id == 0)
        #expect(refusal("nonsense")?.id == 0)
        let deep = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
        #expect(refusal(#"{"v":1,"id":7,"method":"status","params":\#(deep)}"#)?.id == 0)
    }
}
