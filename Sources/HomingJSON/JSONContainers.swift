/// An object's members, for Swift's `Decodable`.
struct JSONMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: JSONValue]
    let codingPath: [any CodingKey]

    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    private func decoder(_ key: Key) throws -> JSONValueDecoder {
        guard let value = members[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: "it is missing"))
        }
        return JSONValueDecoder(value, at: codingPath + [key])
    }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try decoder(key).decode(type)
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try decoder(key).decode(type)
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try decoder(key).double()
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        Float(try decoder(key).double())
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder(key).integer(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
        try decoder(key).integer(type)
    }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try decoder(key).integer(type)
    }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try decoder(key).integer(type)
    }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try decoder(key).integer(type)
    }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
        try decoder(key).integer(type)
    }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try decoder(key).integer(type)
    }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try decoder(key).integer(type)
    }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try decoder(key).integer(type)
    }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try decoder(key).integer(type)
    }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try Value(from: decoder(key))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        JSONValueDecoder(members["super"] ?? .null, at: codingPath)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

/// An array's elements, one after the other, for Swift's `Decodable`.
struct JSONElements: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(elements: [JSONValue], codingPath: [any CodingKey]) {
        self.elements = elements
        self.codingPath = codingPath
    }

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    /// What cannot be read is still the next one.
    private mutating func take<Value>(
        _ read: (JSONValueDecoder) throws -> Value
    ) throws -> Value {
        let path = codingPath + [JSONIndex(currentIndex)]
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                Value.self, .init(codingPath: path, debugDescription: "the array ends before"))
        }
        let value = try read(JSONValueDecoder(elements[currentIndex], at: path))
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, elements[currentIndex] == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try take { try $0.decode(type) } }
    mutating func decode(_ type: String.Type) throws -> String {
        try take { try $0.decode(type) }
    }
    mutating func decode(_ type: Double.Type) throws -> Double { try take { try $0.double() } }
    mutating func decode(_ type: Float.Type) throws -> Float {
        try take { Float(try $0.double()) }
    }
    mutating func decode(_ type: Int.Type) throws -> Int { try take { try $0.integer(type) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try take { try $0.integer(type) } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try take { try $0.integer(type) } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try take { try $0.integer(type) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try take { try $0.integer(type) } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try take { try $0.integer(type) } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try take { try $0.integer(type) } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
        try take { try $0.integer(type) }
    }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
        try take { try $0.integer(type) }
    }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
        try take { try $0.integer(type) }
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try take { try Value(from: $0) }
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try take { try $0.container(keyedBy: type) } }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try take { $0 } }
}
