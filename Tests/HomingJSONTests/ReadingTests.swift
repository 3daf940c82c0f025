import HomingBase
import HomingJSON
import HomingTestKit
import Testing

@Suite struct ReadingTests {
    private func value(_ text: String) throws -> JSONValue { try JSON.value(of: text.utf8) }

    @Test("Every kind of value is read, whole numbers as whole ones")
    func kinds() throws {
        let text =
            #" {"n":null,"t":true,"f":false,"i":-7,"w":5.0,"d":2.5,"s":"é\n","a":[1,[]],"o":{}} "#
        #expect(
            try value(text)
                == .object([
                    "n": .null, "t": .boolean(true), "f": .boolean(false), "i": .whole(-7),
                    "w": .whole(5), "d": .number(2.5), "s": .string("é\n"),
                    "a": .array([.whole(1), .array([])]), "o": .object([:]),
                ]))
    }

    @Test(
        "What is no JSON is refused",
        arguments: [
            "", " ", "nul", "tru", "{", "[1,", "{\"a\":}", "{\"a\" 1}", "[1 2]", "01", "1.", "-",
            "+1",
            "NaN", "\"", "\"\\x\"", "[,]", "[1,,]", ",", "[1]]", "'a'", "1 1",
            "\"\\u12\"",
        ])
    func malformed(_ text: String) {
        #expect(throws: JSONError.malformed) { try value(text) }
    }

    @Test("Of two members with one name the later one counts")
    func twice() throws {
        #expect(try value(#"{"a":1,"a":2}"#) == .object(["a": .whole(2)]))
    }

    @Test(
        "A text that lies open in the outermost object is found without reading the rest",
        arguments: [
            (#"{"a":"x"}"#, "x"), (#" { "b" : [1, {"a":"y"}] , "a" : "x" } "#, "x"),
            (#"{"b":"\"a\":\"y\"","a":"x"}"#, "x"), (#"{"a":"y","a":"x"}"#, "x"),
            (#"{"a":"y","a":5}"#, nil), (#"{"a":"y","\u0061":"x"}"#, nil),
            (#"{"a":"\u0078"}"#, nil),
            (#"{"a":["x"]}"#, nil), (#"{"a":{"a":"x"}}"#, nil), (#"[{"a":"x"}]"#, nil),
            (#"{"b":"a"}"#, nil),
            (#"{"a":"é"}"#, nil), (#"{"a":"x"#, "x"), (#"{"a":"x\"#, nil), ("", nil),
            (#"["a","x"]"#, nil),
        ] as [(String, String?)])
    func openTexts(_ text: String, _ found: String?) throws {
        #expect(JSON.openText(of: "a", in: Array(text.utf8)) == found)
        if let value = try? value(text), let found { #expect(value["a"]?.string == found) }
    }

    @Test("What lies open is what reading finds, in random objects with random damage")
    func openTextsAreExact() {
        let seed = TestRun.seed()
        var random = SeededRandom(seed: seed)
        let parts = [
            "{", "}", "[", "]", ":", ",", #""a""#, #""b""#, #""x""#, "1", "null", #""\u0061""#,
            #""\""#,
            " ", #""a":"x""#, #""a":"#, #"{"a":"y"}"#,
        ]
        var found = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...9, using: &random)
            let text =
                "{" + (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
                + "}"
            guard let value = try? value(text) else { continue }
            let open = JSON.openText(of: "a", in: Array(text.utf8))
            // Without an escape nothing is hidden.
            guard open != nil || !text.utf8.contains(UInt8(ascii: "\\")) else { continue }
            found += open == nil ? 0 : 1
            #expect(value["a"]?.string == open, "\(text), HOMING_SEED=\(seed)")
        }
        #expect(found > 100)
    }

    @Test("A number beyond 64 bits is held as far as a Double can; beyond that it is null")
    func hugeNumbers() throws {
        #expect(
            try value("[9223372036854775807,9223372036854775808,-9223372036854775809]")
                == .array([
                    .whole(.max), .number(9_223_372_036_854_775_808),
                    .number(-9_223_372_036_854_775_808),
                ]))
        let digits = String(repeating: "9", count: 400)
        #expect(
            try value("[1e400,-1e400,\(digits),1]") == .array([.null, .null, .null, .whole(1)]))
        let long = String(repeating: "0", count: 2000)
        #expect(try value("{\"a\":0.\(long)1,\"b\":2}") == .object(["a": .null, "b": .whole(2)]))
        #expect(try value("1e-400") == .whole(0))
    }

    @Test("Half a surrogate pair and bytes that are no UTF-8 become replacement characters")
    func characters() throws {
        #expect(try value(#"["\ud83d\ude00"]"#) == .array([.string("😀")]))
        #expect(
            try value(#"["\ud83d!","\ude00","\ud83d\ud83d\ude00"]"#)
                == .array([.string("\u{FFFD}!"), .string("\u{FFFD}"), .string("\u{FFFD}😀")]))
        let bytes: [UInt8] = Array("{\"a\":\"x".utf8) + [0xFF] + Array("\",\"b\":1}".utf8)
        #expect(
            try JSON.value(of: bytes) == .object(["a": .string("x\u{FFFD}"), "b": .whole(1)]))
    }

    @Test("A comma after the last element and a control character in a text are let pass")
    func slips() throws {
        #expect(try value("[1,[2, ],{\"a\":3,\n},]") == value(#"[1,[2],{"a":3}]"#))
        #expect(
            try value("{\"a\u{13}\":\"\n\u{0}\",\"\u{0}\":1}")
                == .object(["a\u{13}": .string("\n\u{0}"), "\u{FFFD}": .whole(1)]))
        let controls = "\t\u{8}\u{C}\r\n\u{1}\u{1F}"
        #expect(try value("[\"a\(controls)b\"]") == .array([.string("a\(controls)b")]))
    }

    @Test("A zero byte is held in a text, and replaced in a name")
    func zeroBytes() throws {
        #expect(try value(#"["a\u0000b"]"#) == .array([.string("a\u{0}b")]))
        #expect(
            try value(#"{"a\u0000\ud800" : "\u0000"}"#)
                == .object(["a\u{FFFD}\u{FFFD}": .string("\u{0}")]))
    }

    @Test(
        "Read exactly, a value that cannot be held is an error",
        arguments: [
            "1e400", "9223372036854775808", #""\ud800""#, #"{"\u0000":1}"#, "[1,]", "\"\u{1}\"",
        ])
    func exactly(_ text: String) {
        #expect(throws: JSONError.notExact) { try JSON.value(of: text.utf8, exactly: true) }
    }

    @Test("Bytes, depth and values are bounded before anything is read")
    func limits() throws {
        let limits = JSONLimits(bytes: 20, depth: 3, values: 6)
        func read(_ text: String) throws -> JSONValue {
            try JSON.value(of: text.utf8, within: limits)
        }
        #expect(try read("[[[1,2]]]") != .null)
        #expect(throws: JSONError.tooDeep) { try read("[[[[1]]]]") }
        #expect(throws: JSONError.tooDeep) { try read("[{\"a\":[[") }
        #expect(throws: JSONError.tooMany) { try read("[1,2,3,4,5,6]") }
        #expect(throws: JSONError.tooMany) { try read("{\"a\":1,\"b\":2,\"c\":3}") }
        #expect(throws: JSONError.tooLong) { try read("[1,2,3            ]    ") }
        #expect(throws: JSONError.tooDeep) {
            try JSON.value(of: [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20))
        }
    }
}
