/// Reads types of ours from a value, for Swift's `Decodable`.
struct JSONValueDecoder: Decoder {
    let value: JSONValue
    private let container: [any CodingKey]
    private let key: (any CodingKey)?
    /// Path of the value, built on demand: a path for each value would cost more than the value.
    var codingPath: [any CodingKey] { key.map { container + [$0] } ?? container }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// - Parameters:
    ///   - container: the path of the array or object that holds the value.
    ///   - key: the place in there; `nil` for the root.
    init(_ value: JSONValue, in container: [any CodingKey] = [], at key: (any CodingKey)? = nil) {
        self.value = value
        self.container = container
        self.key = key
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw mismatch([String: JSONValue].self) }
        return KeyedDecodingContainer(JSONMembers<Key>(members: members, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch([JSONValue].self) }
        return JSONElements(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func mismatch(_ type: Any.Type) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: "it is \(value.kind)")
        return value == .null
            ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }
}

extension JSONValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .boolean(let truth) = value else { throw mismatch(type) }
        return truth
    }

    func decode(_ type: String.Type) throws -> String {
        guard case .string(let text) = value else { throw mismatch(type) }
        return text
    }

    func decode(_ type: Double.Type) throws -> Double {
        switch value {
        case .whole(let number): return Double(number)
        case .number(let number): return number
        default: throw mismatch(type)
        }
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
        guard case .whole(let whole) = value, let number = Number(exactly: whole) else {
            throw mismatch(type)
        }
        return number
    }

    /// Returns an object or array as it was read where the caller wants JSON values: to build it again
    /// would hash all names once more.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        var part: Any?
        if type == [String: JSONValue].self, case .object(let members) = value { part = members }
        if type == [JSONValue].self, case .array(let elements) = value { part = elements }
        if let part, let wanted = part as? Value { return wanted }
        return try Value(from: self)
    }
}

extension JSONValue {
    /// Kind of the value, for errors, without the content.
    fileprivate var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .whole, .number: "a number"
        case .string: "a text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// A place in an array, in a coding path.
struct JSONIndex {
    /// `nil` for the place of a superclass.
    let intValue: Int?
    var stringValue: String { intValue.map { "[\($0)]" } ?? "super" }
}

extension JSONIndex: CodingKey {
    private init() { intValue = nil }
    init(_ index: Int) { intValue = index }
    init?(intValue: Int) { self.init(intValue) }
    init?(stringValue: String) { nil }

    /// Place where a class puts what its superclass encodes.
    static let superKey = JSONIndex()
}
