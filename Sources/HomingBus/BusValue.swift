internal import CGIO
internal import HomingBase

/// Content of a D-Bus message, as Swift values.
public enum BusValue: Equatable, Sendable {
    case boolean(Bool)
    /// Any of the whole types; `t` above `Int64.max` is that.
    case whole(Int64)
    case number(Double)
    /// A string, an object's path or a signature.
    case text(String)
    /// An array or a tuple.
    case list([BusValue])
    /// A dictionary whose keys are texts.
    case table([String: BusValue])
    /// The index of a descriptor in the message's list.
    case handle(Int32)
    /// A type that D-Bus does not have.
    case other

    /// Elements of an array that are read. No service sends as many; bytes that are not what they say
    /// can claim four times as many.
    private static let longestArray = 4096

    /// Reads a GVariant, which stays the caller's.
    public init(_ variant: OpaquePointer) {
        let children = {
            (0..<min(g_variant_n_children(variant), gsize(Self.longestArray))).compactMap {
                Self.child(variant, $0)
            }
        }
        switch g_variant_classify(variant) {
        case G_VARIANT_CLASS_BOOLEAN: self = .boolean(g_variant_get_boolean(variant) != 0)
        case G_VARIANT_CLASS_BYTE: self = .whole(Int64(g_variant_get_byte(variant)))
        case G_VARIANT_CLASS_INT16: self = .whole(Int64(g_variant_get_int16(variant)))
        case G_VARIANT_CLASS_UINT16: self = .whole(Int64(g_variant_get_uint16(variant)))
        case G_VARIANT_CLASS_INT32: self = .whole(Int64(g_variant_get_int32(variant)))
        case G_VARIANT_CLASS_UINT32: self = .whole(Int64(g_variant_get_uint32(variant)))
        case G_VARIANT_CLASS_INT64: self = .whole(Int64(g_variant_get_int64(variant)))
        case G_VARIANT_CLASS_UINT64: self = .whole(Int64(clamping: g_variant_get_uint64(variant)))
        case G_VARIANT_CLASS_DOUBLE: self = .number(g_variant_get_double(variant))
        case G_VARIANT_CLASS_STRING, G_VARIANT_CLASS_OBJECT_PATH, G_VARIANT_CLASS_SIGNATURE:
            let text = g_variant_get_string(variant, nil).map { String(cString: $0).streamSafe }
            self = text.map { .text($0) } ?? .other
        case G_VARIANT_CLASS_HANDLE: self = .handle(g_variant_get_handle(variant))
        case G_VARIANT_CLASS_VARIANT: self = Self.child(variant, 0) ?? .other
        case G_VARIANT_CLASS_ARRAY where typeText(variant).hasPrefix("a{s"):
            self = .table(Dictionary(children().compactMap(\.entry)) { _, last in last })
        case G_VARIANT_CLASS_ARRAY, G_VARIANT_CLASS_TUPLE, G_VARIANT_CLASS_DICT_ENTRY:
            self = .list(children())
        default: self = .other
        }
    }

    private static func child(_ variant: OpaquePointer, _ index: gsize) -> BusValue? {
        guard let child = g_variant_get_child_value(variant, index) else { return nil }
        defer { g_variant_unref(child) }
        return BusValue(child)
    }

    private var entry: (String, BusValue)? {
        guard case .list(let pair) = self, pair.count == 2, case .text(let key) = pair[0] else {
            return nil
        }
        return (key, pair[1])
    }
}

/// Returns a type in D-Bus's letters: `a{sv}`.
private func typeText(_ variant: OpaquePointer) -> String {
    g_variant_get_type_string(variant).map { String(cString: $0) } ?? ""
}

extension BusValue {
    public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    public var whole: Int? { if case .whole(let value) = self { Int(exactly: value) } else { nil } }
    public var uint32: UInt32? { whole.flatMap { UInt32(exactly: $0) } }
    /// A finite number of type `d`.
    public var number: Double? {
        if case .number(let value) = self, value.isFinite { value } else { nil }
    }
    /// A text with something in it.
    public var text: String? {
        if case .text(let value) = self, !value.isEmpty { value } else { nil }
    }
    public var list: [BusValue]? { if case .list(let values) = self { values } else { nil } }
    public var table: [String: BusValue]? {
        if case .table(let values) = self { values } else { nil }
    }
    /// An array of bytes.
    public var bytes: [UInt8] {
        list?.compactMap { if case .whole(let byte) = $0 { UInt8(exactly: byte) } else { nil } }
            ?? []
    }
}

extension BusValue {
    /// Cuts the value to the room, and takes the room that the value needs; `nil` where there is no
    /// room. Of a table the first keys stay.
    public func within(_ room: inout Int) -> BusValue? {
        room -= Self.least
        guard room >= 0 else { return nil }
        switch self {
        case .text(let text):
            let kept = text.bounded(min(room, Bound.reason))
            room -= kept.utf8.count
            return .text(kept)
        case .list(let values): return .list(values.compactMap { $0.within(&room) })
        case .table(let values):
            let kept = values.sorted { $0.key < $1.key }.compactMap { key, value in
                key.utf8.count <= Bound.name ? value.within(&room).map { (key, $0) } : nil
            }
            return .table(Dictionary(uniqueKeysWithValues: kept))
        default: return self
        }
    }

    /// Bytes that any value takes, with its key.
    private static let least = 64
}
