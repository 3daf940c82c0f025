/// JSON, read and written: the only place of Homing that knows its text.
///
/// Reading takes time in proportion to the number of bytes, and gives a value or a `JSONError`. See
/// docs/decisions/0034-json.md.
public enum JSON {
    /// Reads a value.
    ///
    /// - Parameters:
    ///   - bytes: JSON text in UTF-8.
    ///   - exactly: whether a value that cannot be held is an error; if not, it becomes `null`, and
    ///     the rest is read.
    public static func value(
        of bytes: some Collection<UInt8>, within limits: JSONLimits = .standard,
        exactly: Bool = false
    ) throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.bytes else { throw .tooLong }
        return try JSONReader.value(
            of: JSONText(Array(bytes), within: limits, exactly: exactly).bytes)
    }

    /// Reads a value of a type of ours, whose names may be in snake_case. Throws a `JSONError` or a
    /// `DecodingError`; neither says anything of what was read but the names of its fields.
    public static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: some Collection<UInt8>,
        within limits: JSONLimits = .standard
    ) throws -> Value {
        try value(of: bytes, within: limits).decoded(as: type)
    }

    /// Writes a value as one line, the names in an object in their order. Throws an `EncodingError`
    /// if a number in it is not finite.
    public static func bytes(
        _ value: some Encodable, names: JSONNames = .asDeclared, pretty: Bool = false
    ) throws -> [UInt8] {
        var writer = JSONWriter(isPretty: pretty)
        writer.write(try JSONValueEncoder.value(of: value, names: names))
        return writer.bytes
    }
}

extension JSONValue {
    /// `nil` if the bytes are not JSON within `JSONLimits.standard`.
    public init?(json bytes: some Collection<UInt8>) {
        guard let value = try? JSON.value(of: bytes) else { return nil }
        self = value
    }

    /// A value of a type of ours. Throws an `EncodingError` if a number in it is not finite.
    public init(encoding value: some Encodable) throws {
        self = try JSONValueEncoder.value(of: value, names: .asDeclared)
    }

    /// The value as JSON, the names in an object in their order.
    public func json(pretty: Bool = false) -> String {
        var writer = JSONWriter(isPretty: pretty)
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The value as a type of ours. Throws a `DecodingError`.
    public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        try JSONValueDecoder(self).decode(type)
    }
}

/// Limits of a JSON text; a text beyond a limit is refused before the text is read.
public struct JSONLimits: Equatable, Sendable {
    /// Bytes of the text.
    public var bytes: Int
    /// Arrays and objects within each other.
    public var depth: Int
    /// Values and names.
    public var values: Int

    public init(bytes: Int, depth: Int = 64, values: Int = 1 << 20) {
        self.bytes = bytes
        self.depth = depth
        self.values = values
    }

    /// Limits for what another limit bounds already: an answer of 1 MiB, a picture's order of 2
    /// MiB.
    public static let standard = JSONLimits(bytes: 4 << 20)
}

/// Reason why bytes are not read as JSON.
public enum JSONError: Error, Equatable, Sendable {
    /// More bytes than the limit.
    case tooLong
    /// Nested more deeply than the limit.
    case tooDeep
    /// More values than the limit.
    case tooMany
    /// A value is there that cannot be held, and was to be held exactly.
    case notExact
    /// Text that is not JSON.
    case malformed
}

extension JSONError: CustomStringConvertible {
    /// Description of the mistake in the text: "is not JSON".
    public var description: String {
        switch self {
        case .tooLong: "is too long"
        case .tooDeep: "is nested too deeply"
        case .tooMany: "holds too many values"
        case .notExact: "holds a number that is too large, or a character that does not exist"
        case .malformed: "is not JSON"
        }
    }
}
