internal import CGIO
internal import HomingBase

/// A value that is sent, of exactly the type that its receiver wants.
public indirect enum BusArgument: Equatable, Sendable {
    case string(String)
    case byte(UInt8)
    case boolean(Bool)
    case int32(Int32)
    case uint16(UInt16)
    case uint32(UInt32)
    case uint64(UInt64)
    case strings([String])
    /// An object's path.
    case path(String)
    /// A value of any type, with its type.
    case any(BusArgument)
    /// `a{sv}`.
    case dictionary([String: BusArgument])

    /// A floating GVariant: whoever takes it sinks it.
    var variant: OpaquePointer? {
        switch self {
        // D-Bus strings hold no NUL; Swift's are valid UTF-8.
        case .string(let text): g_variant_new_string(text.replacingEach("\u{0}", with: ""))
        case .byte(let value): g_variant_new_byte(value)
        case .boolean(let value): g_variant_new_boolean(value ? 1 : 0)
        case .int32(let value): g_variant_new_int32(value)
        case .uint16(let value): g_variant_new_uint16(value)
        case .uint32(let value): g_variant_new_uint32(value)
        case .uint64(let value): g_variant_new_uint64(guint64(value))
        case .path(let path):
            g_variant_is_object_path(path) != 0 ? g_variant_new_object_path(path) : nil
        case .any(let value): g_variant_new_variant(value.variant)
        case .strings(let texts): Self.array("s", texts.map { Self.string($0).variant })
        case .dictionary(let entries):
            Self.array(
                "{sv}",
                entries.sorted { $0.key < $1.key }.map { key, value in
                    g_variant_new_dict_entry(
                        Self.string(key).variant, g_variant_new_variant(value.variant))
                })
        }
    }

    private static func array(_ type: String, _ children: [OpaquePointer?]) -> OpaquePointer? {
        guard let elementType = g_variant_type_new(type) else { return nil }
        defer { g_variant_type_free(elementType) }
        var children = children
        return g_variant_new_array(elementType, &children, gsize(children.count))
    }

    /// The arguments of a call: a floating tuple.
    public static func tuple(_ values: [BusArgument]) -> OpaquePointer? {
        var children = values.map(\.variant)
        return g_variant_new_tuple(&children, gsize(children.count))
    }
}
