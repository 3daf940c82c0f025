import HomingBase
import HomingTestKit
import Testing

@testable import HomeAssistantAPI

/// Answers that are compared with the answer before, and mean what they mean alone.
@Suite struct WebSocketReaderTests {
    private static let answer =
        #","type":"result","success":true,"result":{"body":"{}","status":200,"headers":{}}}"#

    private func read(_ text: String, by reader: inout WebSocketReader) -> WebSocketMessage? {
        reader.message(in: Array(text.utf8))
    }

    @Test("Answers that differ in their number have their own number")
    func numbers() {
        var reader = WebSocketReader()
        for id in [1, 2, 9, 10, 99, 100, 7, 123_456_789, 0] {
            let message = read(#"{"id":\#(id)"# + Self.answer, by: &reader)
            #expect(message == .done(id: id, reply: .init(status: 200, body: Array("{}".utf8))))
        }
    }

    @Test(
        "Every difference but the number's is seen",
        arguments: [
            #"{"id":5,"type":"result","success":false,"result":{"body":"{}","status":200,"headers":{}}}"#,
            #"{"id":5,"type":"result","success":true,"result":{"body":"[]","status":200,"headers":{}}}"#,
            #"{"id":5,"type":"result","success":true,"result":{"body":"{}","status":410,"headers":{}}}"#,
            #"{"id":05,"type":"result","success":true,"result":{"body":"{}","status":200,"headers":{}}}"#,
            #"{"id":,"type":"result","success":true,"result":{"body":"{}","status":200,"headers":{}}}"#,
            #"{"id":-5,"type":"result","success":true,"result":{"body":"{}","status":200,"headers":{}}}"#,
            #"{"id":5.5,"type":"result","success":true,"result":{"body":"{}","status":200,"headers":{}}}"#,
            #"{"id":"5","type":"result","success":true,"result":{"body":"{}","status":200,"headers":{}}}"#,
            #"{"id":5,"type":"pong"}"#,
        ])
    func differences(text: String) {
        var reader = WebSocketReader()
        _ = read(#"{"id":4"# + Self.answer, by: &reader)
        #expect(read(text, by: &reader) == WebSocketMessage(Array(text.utf8)))
    }

    @Test(
        "An answer whose number stands twice is not compared",
        arguments: [
            #","type":"result","success":true,"result":{"body":"{}","status":200},"id":5}"#,
            #","type":"result","success":true,"result":{"body":"{}","status":200},"\u0069d":5}"#,
        ])
    func secondNumber(tail: String) {
        var reader = WebSocketReader()
        for id in [5, 6] {
            let text = #"{"id":\#(id)"# + tail
            #expect(read(text, by: &reader) == WebSocketMessage(Array(text.utf8)))
        }
    }

    @Test("Whatever came before, a message is read as it is read alone")
    func histories() {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed): answers over a socket")
        var random = SeededRandom(seed: seed)
        let bodies = [
            "{}", "[]", #"{\"id\":4}"#, #"{\"encrypted\":true,\"encrypted_data\":\"QQ==\"}"#,
        ]
        let tails = bodies.flatMap { body in
            ["", #","id":7"#, #","extra":{"id":7}"#].map {
                #","type":"result","success":true,"result":{"body":"\#(body)","status":200}\#($0)}"#
            }
        }
        var (reader, done) = (WebSocketReader(), 0)
        for _ in 0..<TestRun.number("HOMING_PAYLOADS", 20_000) {
            let id = Int.random(in: 0...12, using: &random)
            let tail = tails.randomElement(using: &random) ?? ""
            var bytes = Array((#"{"id":\#(id)"# + tail).utf8)
            if Int.random(in: 0..<4, using: &random) == 0 {
                let place = Int.random(in: bytes.indices, using: &random)
                bytes[place] = UInt8.random(in: 0x20...0x7E, using: &random)
            }
            let message = reader.message(in: bytes)
            #expect(message == WebSocketMessage(bytes), "\(String(decoding: bytes, as: UTF8.self))")
            if case .done = message { done += 1 }
        }
        #expect(done > 0)
    }

    @Test("An answer like the answer before is compared, and no other answer is")
    func comparison() {
        var reader = WebSocketReader()
        let next = Array((#"{"id":2"# + Self.answer).utf8)
        #expect(reader.comparedID(in: next) == nil, "nothing came before")
        _ = read(#"{"id":1"# + Self.answer, by: &reader)
        #expect(reader.comparedID(in: next) == 2)
        #expect(reader.comparedID(in: Array(#"{"id":2,"type":"pong"}"#.utf8)) == nil)
        _ = read(
            #"{"id":3,"type":"result","success":true,"result":{"body":"","status":200}}"#,
            by: &reader)
        #expect(reader.comparedID(in: next) == nil, "another answer came last")
    }
}
