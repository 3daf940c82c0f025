internal import FoundationEssentials

/// From JSON's text, and back.
extension JSONValue {
    /// `nil` if the bytes are no JSON.
    public init?(json bytes: [UInt8]) {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)) else {
            return nil
        }
        self = value
    }

    /// The value as JSON, the names in an object in their order.
    public func json(pretty: Bool = false) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
        // Only a number that is not finite cannot be said, and JSON has none to read.
        guard let data = try? encoder.encode(self) else { return "null" }
        return String(decoding: data, as: UTF8.self)
    }
}
