import HomingJSON
import Testing

/// Types of ours to JSON and back.
@Suite struct CodingTests {
    private enum Choice: Codable, Equatable {
        case nothing
        case some(name: String, _ number: Int)
    }

    private struct Everything: Codable, Equatable {
        var truth = true
        var text = "a \"b\" \\ / \u{1}\u{8}\t\n\u{C}\r é 😀"
        var whole = -5
        var small: UInt8 = 200
        var large: UInt64 = 1 << 62
        var fraction = 0.1
        var short: Float = 1.5
        var absent: String?
        var list = [[1.5, nil], []]
        var choices = [Choice.nothing, .some(name: "n", 3)]
        var byName = ["camelCase": Choice.nothing, "b": .some(name: "", 0)]
        var value = JSONValue.object(["anyKey": .array([.null, .whole(1)])])
        var members: [String: JSONValue] = ["a": .null, "camelCase": .array([])]
        var elements: [JSONValue] = [.null, .object(["b": .string("c")])]
        var fewMembers: [String: JSONValue]? = ["a": .whole(1)]
        var noElements: [JSONValue]?
    }

    @Test("A value of every type survives its text")
    func roundTrip() throws {
        for pretty in [false, true] {
            let bytes = try JSON.bytes(Everything(), pretty: pretty)
            #expect(try JSON.decode(Everything.self, from: bytes) == Everything())
        }
    }

    @Test("Text is escaped where it must be and nowhere else, names are in order")
    func text() throws {
        let bytes = try JSON.bytes(["b": "a\"\\/\u{1}\u{8}\t\n\u{C}\r\u{7F}é", "a": "😀"])
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "{\"a\":\"😀\",\"b\":\"a\\\"\\\\/\\u0001\\b\\t\\n\\f\\r\u{7F}é\"}")
        #expect(try JSONValue(json: JSON.bytes([1.0, 1e16, 2.5, -0.0, 1e-7]))?.json() != nil)
        #expect(
            try String(decoding: JSON.bytes([1.0, 0.1, 1e300]), as: UTF8.self) == "[1,0.1,1e+300]")
    }

    @Test("Names in snake case are read, but for those that are data")
    func snakeNames() throws {
        struct Inner: Decodable, Equatable {
            var homeURLKept: Int
            var aB: Int?
        }
        let json = #"{"keep_this":{"home_url_kept":1,"a_b":2},"b":{"homeURLKept":3}}"#
        let read = try JSON.decode([String: Inner].self, from: json.utf8)
        #expect(
            read == [
                "keep_this": Inner(homeURLKept: 1, aB: 2), "b": Inner(homeURLKept: 3, aB: nil),
            ])
    }

    @Test("Names become snake case, but for those that are data")
    func names() throws {
        struct Inner: Encodable {
            var homeURLKept = 1
            var aB = 2
            var already_snake = 3
            var x = 4
            var ID = 5
        }
        struct Outer: Encodable {
            var innerPart = Inner()
            var byName = ["keepThis": Inner(), "And That": Inner()]
        }
        let text = try String(decoding: JSON.bytes(Outer(), names: .snakeCase), as: UTF8.self)
        let inner = #"{"a_b":2,"already_snake":3,"home_url_kept":1,"id":5,"x":4}"#
        #expect(
            text
                == #"{"by_name":{"And That":\#(inner),"keepThis":\#(inner)},"inner_part":\#(inner)}"#
        )
    }

    @Test("A number that is not finite cannot be written")
    func notFinite() {
        #expect(throws: EncodingError.self) { try JSON.bytes([Double.infinity]) }
        #expect(throws: EncodingError.self) { try JSON.bytes(["a": Double.nan]) }
    }

    @Test("What does not fit is told by its place, and its content is not told")
    func errors() throws {
        func place(_ text: String) -> String? {
            do {
                _ = try JSON.decode(Everything.self, from: text.utf8)
                return nil
            } catch DecodingError.typeMismatch(_, let context),
                DecodingError.valueNotFound(_, let context)
            {
                #expect(!"\(context)".contains("secret"))
                return context.codingPath.map(\.stringValue).joined(separator: ".")
            } catch { return "\(error)" }
        }
        #expect(place(#"{"truth":"secret"}"#) == "truth")
        #expect(place(#"{"truth":true,"text":null}"#) == "text")
        #expect(place(#"{"truth":true,"text":"","whole":1.5}"#) == "whole")
        #expect(place(#"{"truth":true,"text":"","whole":1,"small":256}"#) == "small")
        let start = #"{"truth":true,"text":"","whole":1,"small":1,"large":1,"fraction":1,"short":1"#
        #expect(place(start + #","list":[[1],["secret"]]}"#) == "list.[1].[0]")
        #expect(throws: DecodingError.self) { try JSON.decode(Everything.self, from: "[]".utf8) }
    }

    @Test("Empty types and empty lists are written as what they are")
    func empty() throws {
        struct Nothing: Codable, Equatable {}
        #expect(try JSON.bytes(Nothing()) == Array("{}".utf8))
        #expect(try JSON.bytes([Nothing]()) == Array("[]".utf8))
        #expect(try JSON.decode(Nothing.self, from: "{}".utf8) == Nothing())
        #expect(JSONValue.array([.object([:]), .array([])]).json() == "[{},[]]")
    }
}
