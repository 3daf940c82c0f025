/// Spelling of the names of members.
public enum JSONNames: Sendable {
    /// Order of the type's declaration.
    case asDeclared
    /// `camelCase` as `camel_case`. The names in a dictionary are data, and stay.
    case snakeCase
}

/// Makes a value of types of ours, for Swift's `Encodable`.
final class JSONValueEncoder: Encoder {
    /// Content that was put here so far: an object and an array grow.
    private enum Content {
        case nothing
        case value(JSONValue)
        case members([String: JSONValueEncoder])
        case elements([JSONValueEncoder])
    }

    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    private let names: JSONNames
    private var content = Content.nothing

    private init(names: JSONNames, at path: [any CodingKey] = []) {
        self.names = names
        codingPath = path
    }

    static func value(of value: some Encodable, names: JSONNames) throws -> JSONValue {
        let encoder = JSONValueEncoder(names: names)
        try encoder.encode(value)
        return encoder.value
    }

    /// A type that encodes nothing is an empty object.
    private var value: JSONValue {
        switch content {
        case .nothing: .object([:])
        case .value(let value): value
        case .members(let members): .object(members.mapValues(\.value))
        case .elements(let elements): .array(elements.map(\.value))
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .members = content {} else { content = .members([:]) }
        return KeyedEncodingContainer(JSONMemberEncoder<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .elements = content {} else { content = .elements([]) }
        return JSONElementEncoder(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Number of elements that were put here.
    var count: Int { if case .elements(let elements) = content { elements.count } else { 0 } }

    /// Returns the place where the member of this name is put.
    func member(_ key: any CodingKey) -> JSONValueEncoder {
        let member = JSONValueEncoder(names: names, at: codingPath + [key])
        if case .members(var members) = content {
            content = .nothing
            members[name(of: key)] = member
            content = .members(members)
        }
        return member
    }

    /// Returns the place where the next element is put.
    func element() -> JSONValueEncoder {
        let element = JSONValueEncoder(names: names, at: codingPath + [JSONIndex(count)])
        if case .elements(var elements) = content {
            content = .nothing
            elements.append(element)
            content = .elements(elements)
        }
        return element
    }

    private func name(of key: any CodingKey) -> String {
        switch names {
        case .asDeclared: key.stringValue
        case .snakeCase: isDictionary ? key.stringValue : Self.snakeCase(key.stringValue)
        }
    }

    private var isDictionary = false

    func put(_ value: JSONValue) throws {
        if case .number(let number) = value, !number.isFinite {
            throw EncodingError.invalidValue(
                number, .init(codingPath: codingPath, debugDescription: "not a finite number"))
        }
        content = .value(value)
    }

    func encode(_ value: some Encodable) throws {
        isDictionary = value is any TextKeyed
        try value.encode(to: self)
    }

    /// `homeURLKept` is `home_url_kept`. Capitals are those of ASCII: the names are of our own types.
    static func snakeCase(_ name: String) -> String {
        let (capitals, small) = (
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z")
        )
        guard name.utf8.contains(where: capitals.contains) else { return name }
        let letters = Array(name.utf8)
        var words: [UInt8] = []
        for (index, letter) in letters.enumerated() {
            let endsCapitals = index + 1 < letters.count && small.contains(letters[index + 1])
            if index > 0, capitals.contains(letter), letters[index - 1] != UInt8(ascii: "_"),
                !capitals.contains(letters[index - 1]) || endsCapitals
            {
                words.append(UInt8(ascii: "_"))
            }
            words.append(capitals.contains(letter) ? letter | 0x20 : letter)
        }
        return String(decoding: words, as: UTF8.self)
    }
}

/// Dictionaries whose keys are data.
private protocol TextKeyed {}
extension Dictionary: TextKeyed where Key == String {}

extension JSONValueEncoder: SingleValueEncodingContainer {
    func encodeNil() throws { try put(.null) }
    func encode(_ value: Bool) throws { try put(.boolean(value)) }
    func encode(_ value: String) throws { try put(.string(value)) }
    func encode(_ value: Double) throws { try put(.number(value)) }
    func encode(_ value: Float) throws { try put(.number(Double(value))) }
    func encode(_ value: some FixedWidthInteger & Encodable) throws {
        try put(Int(exactly: value).map { .whole($0) } ?? .number(Double(value)))
    }
}

/// An object's members, for Swift's `Encodable`.
private struct JSONMemberEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: JSONValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) throws { try encoder.member(key).put(.null) }
    func encode(_ value: some Encodable, forKey key: Key) throws {
        try encoder.member(key).encode(value)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { encoder.member(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.member(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.member(JSONIndex.superKey) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder.member(key) }
}

/// An array's elements, for Swift's `Encodable`.
private struct JSONElementEncoder: UnkeyedEncodingContainer {
    let encoder: JSONValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.count }

    func encodeNil() throws { try encoder.element().put(.null) }
    func encode(_ value: some Encodable) throws { try encoder.element().encode(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> { encoder.element().container(keyedBy: type) }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        encoder.element().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.element() }
}
