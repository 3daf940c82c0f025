internal import CGLib
internal import HomingBase

/// Values of D-Bus, as far as notifications need them; made into a GVariant in one go.
indirect enum BusValue: Equatable {
    case string(String)
    case byte(UInt8)
    case boolean(Bool)
    case int32(Int32)
    case uint32(UInt32)
    case strings([String])
    /// `a{sv}`.
    case dictionary([String: BusValue])

    /// A floating GVariant: whoever takes it sinks it.
    fileprivate var variant: OpaquePointer? {
        switch self {
        // D-Bus strings hold no NUL; Swift's are valid UTF-8.
        case .string(let text): g_variant_new_string(text.replacing("\u{0}", with: ""))
        case .byte(let value): g_variant_new_byte(value)
        case .boolean(let value): g_variant_new_boolean(value ? 1 : 0)
        case .int32(let value): g_variant_new_int32(value)
        case .uint32(let value): g_variant_new_uint32(value)
        case .strings(let texts): BusValue.array("s", texts.map { BusValue.string($0).variant })
        case .dictionary(let entries):
            BusValue.array(
                "{sv}",
                entries.sorted { $0.key < $1.key }.map { entry in
                    g_variant_new_dict_entry(
                        BusValue.string(entry.key).variant,
                        g_variant_new_variant(entry.value.variant))
                })
        }
    }

    private static func array(_ type: String, _ children: [OpaquePointer?]) -> OpaquePointer? {
        guard let elementType = g_variant_type_new(type) else { return nil }
        defer { g_variant_type_free(elementType) }
        var children = children
        return g_variant_new_array(elementType, &children, gsize(children.count))
    }

    /// The arguments of a call.
    static func tuple(_ values: [BusValue]) -> OpaquePointer? {
        var children = values.map(\.variant)
        return g_variant_new_tuple(&children, gsize(children.count))
    }
}

/// Reads the children of a tuple that came by the bus, whatever is in it.
struct BusReader {
    let tuple: OpaquePointer

    func uint32(_ index: Int) -> UInt32? { read(index, "u") { g_variant_get_uint32($0) } }

    func string(_ index: Int) -> String? { read(index, "s", BusReader.text) }

    func strings(_ index: Int) -> [String]? {
        read(index, "as") { array in
            (0..<g_variant_n_children(array)).compactMap { number in
                guard let child = g_variant_get_child_value(array, number) else { return nil }
                defer { g_variant_unref(child) }
                return BusReader.text(child)
            }
        }
    }

    private static func text(_ variant: OpaquePointer) -> String {
        g_variant_get_string(variant, nil).map { String(cString: $0).streamSafe } ?? ""
    }

    private func read<Value>(
        _ index: Int, _ type: String, _ get: (OpaquePointer) -> Value
    ) -> Value? {
        guard String(cString: g_variant_get_type_string(tuple)).hasPrefix("("),
            index < g_variant_n_children(tuple),
            let child = g_variant_get_child_value(tuple, gsize(index))
        else { return nil }
        defer { g_variant_unref(child) }
        guard String(cString: g_variant_get_type_string(child)) == type else { return nil }
        return get(child)
    }
}
