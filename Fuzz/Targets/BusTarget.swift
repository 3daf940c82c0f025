internal import CGLib
internal import HomingJSON

@testable internal import HomingBus
@testable internal import HomingNotifications
@testable internal import HomingSources

/// A message of D-Bus as it comes from the socket: the readers agree with each other, and read an
/// irregular message as GLib's regular form of it.
final class BusTarget: FuzzTarget {
    static let name = "bus"

    /// What the sources and the notifications ask for, and what a peer may answer instead.
    private static let types = [
        "v", "a{sv}", "(sa{sv}as)", "(v)", "as", "(us)", "(uu)", "a{oa{sa{sv}}}", "(a(susso))",
        "aay", "a(yyqqud)", "(nixtdbhog)", "aaaaaaas", "(uss)", "((s(a(vv))))",
    ]

    /// The first byte chooses the type, the rest is the message's body.
    func run(_ input: [UInt8]) throws {
        guard let choice = input.first else { return }
        let name = Self.types[Int(choice) % Self.types.count]
        guard let type = g_variant_type_new(name) else { return }
        defer { g_variant_type_free(type) }
        guard let bytes = g_bytes_new(Array(input.dropFirst()), gsize(input.count - 1)) else {
            return
        }
        defer { g_bytes_unref(bytes) }
        guard let variant = g_variant_new_from_bytes(type, bytes, 0) else { return }
        g_variant_ref_sink(variant)
        defer { g_variant_unref(variant) }
        guard let regular = g_variant_get_normal_form(variant) else { return }
        defer { g_variant_unref(regular) }
        let value = HomingSources.BusValue(variant)
        if g_variant_is_normal_form(variant) != 0, !holdsNaN(value) {
            require(value == HomingSources.BusValue(regular), "a regular message reads otherwise")
        }
        check(value, JSONValue(faultIsPlanted ? regular : variant), isPlanted: faultIsPlanted)
        arguments(of: variant)
    }

    /// Such a value differs from itself.
    private func holdsNaN(_ value: HomingSources.BusValue) -> Bool {
        switch value {
        case .number(let number): number.isNaN
        case .list(let values): values.contains { holdsNaN($0) }
        case .table(let values): values.values.contains { holdsNaN($0) }
        default: false
        }
    }

    /// Both readers see the same texts and numbers; only dictionaries differ.
    private func check(
        _ value: HomingSources.BusValue, _ other: JSONValue, isPlanted: Bool
    ) {
        switch (value, other) {
        case (.list(let values), .array(let others)):
            require(values.count == others.count, "a list of another length")
            for (value, other) in zip(values, others) { check(value, other, isPlanted: isPlanted) }
        case (.text(let text), .string(let other)): require(text == other, "another text")
        case (.whole(let number), .whole(let other)):
            require(Int(number) == other, "another number")
        case (.boolean(let truth), .boolean(let other)): require(truth == other, "another truth")
        case (.number(let number), .number(let other)):
            require(number == other || (number.isNaN && other.isNaN), "another fraction")
        case (.table, .array), (.other, _): require(!isPlanted, "planted")
        default: require(false, "one reader sees another kind of value")
        }
    }

    /// A signal's arguments, asked for by place and type.
    private func arguments(of variant: OpaquePointer) {
        let reader = BusReader(tuple: variant)
        for index in 0..<4 {
            _ = reader.uint32(index)
            let texts = (reader.strings(index) ?? []) + [reader.string(index) ?? ""]
            for text in texts { require(!text.utf8.contains(0), "a text with a zero") }
        }
    }
}
