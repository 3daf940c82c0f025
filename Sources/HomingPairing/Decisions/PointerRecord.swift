/// A PTR record of DNS service discovery as it is on the wire (RFC 1035 3.2.1, RFC 6763 4.1), whole
/// and uncompressed, as systemd-resolved hands it out.
public struct PointerRecord: Equatable, Sendable {
    /// The first label of what it points to: the name that a person gave the service.
    public let instance: String

    /// `nil` if it is none.
    public init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        guard PointerRecord.label(&rest) != nil else { return nil }
        while let label = PointerRecord.label(&rest), !label.isEmpty {}
        // Type 12, class, time to live, length.
        guard rest.count > 10, rest[rest.startIndex] == 0, rest[rest.startIndex + 1] == 12 else {
            return nil
        }
        rest = rest.dropFirst(10)
        guard let name = PointerRecord.label(&rest), !name.isEmpty else { return nil }
        instance = String(decoding: name, as: UTF8.self)
    }

    /// The next label of a name; an empty one ends it.
    private static func label(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let length = rest.first, length < 64, rest.count > Int(length) else { return nil }
        let label = rest.dropFirst().prefix(Int(length))
        rest = rest.dropFirst(1 + Int(length))
        return label
    }
}
