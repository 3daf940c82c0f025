internal import CGIO

@testable internal import HomingBase
@testable internal import HomingBus

/// A message of D-Bus as it comes from the socket: a regular message is read as GLib's own form of
/// it, texts are texts, and what is kept fits its room.
final class BusTarget: FuzzTarget {
    static let name = "bus"

    /// Types that the sources and the notifications ask for, and types that a peer may answer
    /// instead.
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
        let value = BusValue(variant)
        if g_variant_is_normal_form(variant) != 0, !holdsNaN(value) {
            require(value == BusValue(regular), "a regular message reads otherwise")
        }
        check(value)
        var room = Bound.largeBusProperty
        if let kept = value.within(&room) {
            require(size(kept) <= Bound.largeBusProperty, "more is kept than there is room for")
        }
    }

    /// Whether the value holds a NaN: such a value differs from itself.
    private func holdsNaN(_ value: BusValue) -> Bool {
        switch value {
        case .number(let number): number.isNaN
        case .list(let values): values.contains { holdsNaN($0) }
        case .table(let values): values.values.contains { holdsNaN($0) }
        default: false
        }
    }

    private func check(_ value: BusValue) {
        switch value {
        case .text(let text): require(!text.utf8.contains(0), "a text with a zero")
        case .list(let values): for value in values { check(value) }
        case .table(let values):
            require(!faultIsPlanted, "planted")
            for (name, value) in values {
                require(!name.utf8.contains(0), "a name with a zero")
                check(value)
            }
        case .whole, .number, .boolean, .handle, .other: break
        }
    }

    /// Bytes of the texts.
    private func size(_ value: BusValue) -> Int {
        switch value {
        case .text(let text): text.utf8.count
        case .list(let values): values.reduce(0) { $0 + size($1) }
        case .table(let values): values.reduce(0) { $0 + size($1.value) }
        default: 0
        }
    }
}
