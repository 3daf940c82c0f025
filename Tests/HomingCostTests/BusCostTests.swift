import CGIO
import Testing

@testable import HomingBase
@testable import HomingBus
@testable import HomingMachine
@testable import HomingSources

/// 64 kB of a D-Bus message, as a service or a media player of the session sends it.
@Suite(.serialized) struct BusCostTests {
    /// Values in D-Bus's text form, as a message's parser makes them of its bytes.
    private static var inputs: [(name: String, text: [UInt8])] {
        let elements = [
            "bytes": "byte 0x01,", "booleans": "true,", "texts": "'a',",
            "long texts": text(255) + ",",
            "variants": "<1>,", "variants of texts": "<'a'>,", "tuples": "(1, 'a'),",
            "empty arrays": "@as [],", "empty tables": "@a{sv} {},", "tables": "{'a': <1>},",
            "tables of tables": "{'a': <{'b': <{'c': <1>}>}>},", "paths": "objectpath '/a',",
            "numbers": "1.5,", "pairs of tables": "({'a': <1>}, {'b': <2>}),",
        ]
        var inputs = elements.map { name, element in
            (name, "[\(repeated(element, Price.size).dropLast())]")
        }
        let entries = (0..<Price.size / 12).map { "'\($0)': <\($0)>" }.joined(separator: ",")
        let equal = repeated("'a': <1>,", Price.size).dropLast()
        inputs += [
            ("a table of many names", "{\(entries)}"), ("equal names", "{\(equal)}"),
            ("one text", "'\(repeated("é", Price.size - 100))'"),
            ("variants 60 deep", deep(60)), ("many variants 60 deep", many(deep(60))),
            ("tuples 30 deep", many(nested("(", ",)", 30))),
            ("arrays 30 deep", many(nested("[", "]", 30))),
        ]
        for (name, text) in HostileText.marks(Price.size) {
            inputs += [
                ("\(name) in a text", "'\(text)'"), ("\(name) in a name", "{'\(text)': <1>}"),
            ]
        }
        return inputs.map { (name: $0.0, text: Array($0.1.utf8) + [0]) }
    }

    private static func text(_ count: Int) -> String { "'\(String(repeating: "x", count: count))'" }

    private static func repeated(_ part: String, _ size: Int) -> String {
        String(repeating: part, count: max(1, size / part.utf8.count))
    }

    private static func deep(_ depth: Int) -> String { nested("<", ">", depth) }

    private static func nested(_ open: String, _ close: String, _ depth: Int) -> String {
        String(repeating: open, count: depth) + "'a'" + String(repeating: close, count: depth)
    }

    private static func many(_ value: String) -> String {
        "[\(repeated("\(value),", Price.size).dropLast())]"
    }

    /// Those that GLib can make a value of.
    private static func variants() -> [(name: String, value: OpaquePointer)] {
        inputs.compactMap { name, text in
            let value = text.withUnsafeBufferPointer { text in
                text.withMemoryRebound(to: CChar.self) {
                    g_variant_parse(nil, $0.baseAddress, nil, nil, nil)
                }
            }
            return value.map { (name, $0) }
        }
    }

    @Test("A value of a D-Bus message")
    func values() {
        var price = Price()
        let variants = Self.variants()
        defer { for (_, value) in variants { g_variant_unref(value) } }
        #expect(variants.count == Self.inputs.count)
        for (name, value) in variants {
            let read = Price.highest(of: [(name, [])]) { _ in
                var room = Bound.largeBusProperty
                let read = BusValue(value)
                _ = MediaPlayer(name: "a", properties: ["Metadata": read])
                _ = read.within(&room)
            }
            price.note(name, seconds: read.seconds, kilobytes: read.kilobytes)
        }
        price.check("D-Bus: value")
    }

    @Test("Values that come as bytes and are not what they say")
    func garbage() {
        // Offsets that lead nowhere, in types whose elements have no fixed size.
        var inputs: [(name: String, text: [UInt8])] = []
        for type in ["av", "a{sv}", "as", "aas", "a(sv)", "a{sa{sv}}"] {
            for byte: UInt8 in [0x00, 0x01, 0x7F, 0xFF] {
                let bytes = [UInt8](repeating: byte, count: Price.size)
                inputs.append((name: "\(type) of \(byte)", text: Array(type.utf8) + [0] + bytes))
            }
        }
        Price.highest(of: inputs) { input in
            let end = input.firstIndex(of: 0) ?? 0
            let type = String(decoding: input[..<end], as: UTF8.self)
            let bytes = Array(input[(end + 1)...])
            guard let kind = g_variant_type_new(type) else { return }
            defer { g_variant_type_free(kind) }
            guard let data = g_bytes_new(bytes, gsize(bytes.count)) else { return }
            defer { g_bytes_unref(data) }
            guard let value = g_variant_ref_sink(g_variant_new_from_bytes(kind, data, 0)) else {
                return
            }
            defer { g_variant_unref(value) }
            _ = BusValue(value)
        }.check("D-Bus: bytes")
    }
}
