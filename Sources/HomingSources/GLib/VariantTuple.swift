internal import CGLib
internal import HomingBase

/// What a D-Bus message carries, a GVariant tuple. It is lent: good while the message is handled.
struct VariantTuple {
    private let tuple: OpaquePointer

    init(_ tuple: OpaquePointer) { self.tuple = tuple }

    /// An element of type `b`.
    func boolean(_ index: Int) -> Bool? { read(index, "b") { g_variant_get_boolean($0) != 0 } }

    /// An element of type `s`.
    func string(_ index: Int) -> String? {
        read(index, "s") { String(cString: g_variant_get_string($0, nil)).streamSafe }
    }

    /// An element of type `h`: the index of a descriptor in the message's list.
    func handle(_ index: Int) -> Int32? { read(index, "h") { g_variant_get_handle($0) } }

    private func read<Value>(
        _ index: Int, _ type: String, _ get: (OpaquePointer) -> Value
    ) -> Value? {
        guard index < g_variant_n_children(tuple),
            let value = g_variant_get_child_value(tuple, gsize(index))
        else { return nil }
        defer { g_variant_unref(value) }
        guard String(cString: g_variant_get_type_string(value)) == type else { return nil }
        return get(value)
    }
}
