import HomeAssistantAPI
import HomingJSON
import HomingTestKit
import Testing

/// Data as people write it on a command line.
@Suite struct WordsTests {
    @Test("Numbers, truth, lists and objects are taken as JSON, everything else as text")
    func values() throws {
        let words = [
            "n=5", "f=-1.5", "yes=true", "nothing=null", "list=[1,\"a\"]", "object={\"k\":{}}",
            "text=kitchen", "quoted=\"5\"", "code=007", "empty=", "phone=+4912", "nan=NaN",
            "url=http://x?a=b", "spaced=a b", "half={\"k\"",
        ]
        #expect(
            try JSONValue.object(ofWords: words) == [
                "n": .whole(5), "f": .number(-1.5), "yes": .boolean(true), "nothing": .null,
                "list": .array([.whole(1), .string("a")]),
                "object": .object(["k": .object([:])]), "text": .string("kitchen"),
                "quoted": .string("5"), "code": .string("007"), "empty": .string(""),
                "phone": .string("+4912"), "nan": .string("NaN"), "url": .string("http://x?a=b"),
                "spaced": .string("a b"), "half": .string("{\"k\""),
            ])
    }

    @Test("A word without a name, and a name given twice, are refused by name")
    func refused() throws {
        for (words, culprit) in [(["a"], "a"), (["=5"], "=5"), (["a=1", "a=2"], "a")] {
            let error = try thrown(JSONValue.WordsError.self) {
                try JSONValue.object(ofWords: words)
            }
            #expect(error?.message.contains("\"\(culprit)\"") == true)
        }
    }

    @Test("A value survives its text; an object's names are left as they are, in their order")
    func text() throws {
        let value = JSONValue.object([
            "camelCase": .array([.null, .number(0.5)]), "a_b": .whole(1),
        ])
        #expect(value.json() == #"{"a_b":1,"camelCase":[null,0.5]}"#)
        #expect(JSONValue(json: Array(value.json(pretty: true).utf8)) == value)
        #expect(JSONValue(json: Array("nonsense".utf8)) == nil)
    }
}

@Suite struct EncryptionReplyTests {
    private func reply(_ text: String) -> EncryptionReply {
        EncryptionReply(JSONValue(json: Array(text.utf8)))
    }

    @Test("The secret, and each of Home Assistant's refusals")
    func replies() {
        #expect(reply(#"{"secret":"ab"}"#) == .secret("ab"))
        for code in ["encryption_required", "encryption_already_enabled"] {
            let text = #"{"success":false,"error":{"code":"\#(code)","message":"m"}}"#
            #expect(reply(text) == .alreadyEnabled)
        }
        #expect(reply(#"{"error":{"code":"encryption_not_available"}}"#) == .notAvailable)
        #expect(reply(#"{"error":{"code":"other"}}"#) == .refused("other"))
        #expect(reply("{}") == .refused(nil))
        #expect(reply(#"{"secret":5}"#) == .refused(nil))
        #expect(EncryptionReply(nil) == .refused(nil))
    }
}
