/// A JSON value (RFC 8259).
public enum JSONValue: Equatable, Sendable {
    case null
    case boolean(Bool)
    /// A number without a fraction that fits into 64 bits.
    case whole(Int)
    /// Any other number; finite.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue: Codable {
    /// Refuses every decoder but `JSON` and `JSONValue` themselves: the value is passed on as
    /// it is.
    public init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? JSONValueDecoder else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not read from JSON"))
        }
        self = decoder.value
    }

    public func encode(to encoder: any Encoder) throws {
        guard let encoder = encoder as? JSONValueEncoder else {
            throw EncodingError.invalidValue(
                self, .init(codingPath: encoder.codingPath, debugDescription: "not written to JSON")
            )
        }
        try encoder.put(self)
    }
}
