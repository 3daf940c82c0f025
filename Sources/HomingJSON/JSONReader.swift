internal import CJansson
internal import HomingBase

/// Reads JSON with jansson. `JSONText` checks the bounds and repairs the text first. All names and
/// texts in the result are stream-safe.
enum JSONReader {
    static func value(of bytes: [UInt8]) throws(JSONError) -> JSONValue {
        let flags = Int(JSON_DECODE_ANY) | Int(JSON_ALLOW_NUL)
        let root = bytes.withUnsafeBytes { text -> UnsafeMutablePointer<json_t>? in
            json_loadb(
                text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count, flags, nil)
        }
        guard let root else { throw .malformed }
        defer { json_decref(root) }
        return convert(root)
    }

    /// Converts a value, as deep as the text, which is bounded.
    private static func convert(_ json: UnsafeMutablePointer<json_t>) -> JSONValue {
        switch json.pointee.type {
        case JSON_OBJECT: .object(object(json))
        case JSON_ARRAY: .array(array(json))
        case JSON_STRING: .string(string(json))
        case JSON_INTEGER: .whole(Int(json_integer_value(json)))
        case JSON_REAL: number(json_real_value(json))
        case JSON_TRUE: .boolean(true)
        case JSON_FALSE: .boolean(false)
        default: .null
        }
    }

    private static func object(_ json: UnsafeMutablePointer<json_t>) -> [String: JSONValue] {
        let count = json_object_size(json)
        // A dictionary allocates memory even if it reserves room for 0 members.
        guard count > 0 else { return [:] }
        var members: [String: JSONValue] = [:]
        members.reserveCapacity(count)
        var member = json_object_iter(json)
        while let found = member {
            if let name = json_object_iter_key(found), let value = json_object_iter_value(found) {
                members[String(cString: name).streamSafe] = convert(value)
            }
            member = json_object_iter_next(json, found)
        }
        return members
    }

    private static func array(_ json: UnsafeMutablePointer<json_t>) -> [JSONValue] {
        let count = json_array_size(json)
        var elements: [JSONValue] = []
        elements.reserveCapacity(count)
        for index in 0..<count {
            if let element = json_array_get(json, index) { elements.append(convert(element)) }
        }
        return elements
    }

    private static func string(_ json: UnsafeMutablePointer<json_t>) -> String {
        guard let text = json_string_value(json) else { return "" }
        let bytes = UnsafeRawBufferPointer(start: text, count: json_string_length(json))
        return String(decoding: bytes, as: UTF8.self).streamSafe
    }

    /// `5.0` and `5e0` say 5. Beyond 2⁵³ not every whole number is a `Double`, so it stays one.
    private static func number(_ value: Double) -> JSONValue {
        guard value.magnitude <= 9_007_199_254_740_992, let whole = Int(exactly: value) else {
            return .number(value)
        }
        return .whole(whole)
    }
}
