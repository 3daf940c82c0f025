internal import CGLib
internal import HomingBase
public import HomingJSON

extension JSONValue {
    /// What a GVariant holds; tuples and dictionaries are arrays.
    init(_ variant: OpaquePointer) {
        switch g_variant_classify(variant) {
        case G_VARIANT_CLASS_BOOLEAN: self = .boolean(g_variant_get_boolean(variant) != 0)
        case G_VARIANT_CLASS_BYTE: self = .whole(Int(g_variant_get_byte(variant)))
        case G_VARIANT_CLASS_INT16: self = .whole(Int(g_variant_get_int16(variant)))
        case G_VARIANT_CLASS_UINT16: self = .whole(Int(g_variant_get_uint16(variant)))
        case G_VARIANT_CLASS_INT32: self = .whole(Int(g_variant_get_int32(variant)))
        case G_VARIANT_CLASS_UINT32: self = .whole(Int(g_variant_get_uint32(variant)))
        case G_VARIANT_CLASS_INT64: self = .whole(Int(g_variant_get_int64(variant)))
        case G_VARIANT_CLASS_UINT64: self = .whole(Int(clamping: g_variant_get_uint64(variant)))
        case G_VARIANT_CLASS_DOUBLE: self = .number(g_variant_get_double(variant))
        case G_VARIANT_CLASS_STRING, G_VARIANT_CLASS_OBJECT_PATH, G_VARIANT_CLASS_SIGNATURE:
            let text = g_variant_get_string(variant, nil)
            self = text.map { .string(String(cString: $0).streamSafe) } ?? .null
        case G_VARIANT_CLASS_VARIANT: self = Self.children(variant).first ?? .null
        case G_VARIANT_CLASS_ARRAY, G_VARIANT_CLASS_TUPLE, G_VARIANT_CLASS_DICT_ENTRY:
            self = .array(Self.children(variant))
        default: self = .null
        }
    }

    private static func children(_ variant: OpaquePointer) -> [JSONValue] {
        (0..<g_variant_n_children(variant)).compactMap { index in
            guard let child = g_variant_get_child_value(variant, index) else { return nil }
            defer { g_variant_unref(child) }
            return JSONValue(child)
        }
    }

    /// An array of bytes.
    public var bytes: [UInt8] {
        elements.compactMap { if case .whole(let byte) = $0 { UInt8(exactly: byte) } else { nil } }
    }
}
