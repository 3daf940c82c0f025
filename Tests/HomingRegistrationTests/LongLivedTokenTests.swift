import HomingJSON
import Testing

@testable import HomingRegistration

struct LongLivedTokenTests {
    @Test("the token is read from its answer, and from nothing else")
    func answers() {
        let read = { (text: String) in
            JSONValue(json: Array(text.utf8)).flatMap { LongLivedToken.token(in: $0) }
        }
        #expect(read(#"{"id":1,"type":"result","success":true,"result":"ey.a.b"}"#) == "ey.a.b")
        #expect(read(#"{"id":1,"type":"result","success":true,"result":null}"#) == nil)
        #expect(read("[]") == nil)
    }

    @Test("the command names the token and its life, and quotes what must be quoted")
    func command() {
        let command = LongLivedToken.command(name: "Homing on \"x\"")
        let text = String(decoding: command, as: UTF8.self)
        #expect(text.contains(#""client_name":"Homing on \"x\"""#))
        #expect(text.contains(#""lifespan":3650"#))
        #expect(text.contains(#""type":"auth/long_lived_access_token""#))
    }
}
