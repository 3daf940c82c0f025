/// An object's members, for Swift's `Decodable`.
struct JSONMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: JSONValue]
    let codingPath: [any CodingKey]

    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { member(key) != nil }

    /// The member of that name, as the type declares it or in snake_case.
    private func member(_ key: Key) -> JSONValue? {
        members[key.stringValue] ?? members[JSONValueEncoder.snakeCase(key.stringValue)]
    }

    private func decoder(_ key: Key) throws -> JSONValueDecoder {
        guard let value = member(key) else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: "it is missing"))
        }
        return JSONValueDecoder(value, in: codingPath, at: key)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder(key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        JSONValueDecoder(members["super"] ?? .null, in: codingPath)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

/// An array's elements, one after the other, for Swift's `Decodable`.
struct JSONElements: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    /// Reads the next element. An element that cannot be read is not skipped.
    private mutating func readElement<Value>(
        _ read: (JSONValueDecoder) throws -> Value
    ) throws -> Value {
        let place = JSONIndex(currentIndex)
        guard !isAtEnd else {
            let path = codingPath + [place]
            throw DecodingError.valueNotFound(
                Value.self, .init(codingPath: path, debugDescription: "the array ends before"))
        }
        let value = try read(JSONValueDecoder(elements[currentIndex], in: codingPath, at: place))
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, elements[currentIndex] == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try readElement { try $0.decode(type) }
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try readElement { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try readElement { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try readElement { $0 } }
}
