/// Contents as people write them in YAML and templates: `"true"`, `5`, `"5"` and `5.0` all occur.
extension JSONValue {
    /// A text, or a number or boolean as text.
    public var text: String? {
        switch self {
        case .string(let value): value
        case .whole(let value): String(value)
        case .number(let value): String(value)
        case .boolean(let value): String(value)
        case .null, .array, .object: nil
        }
    }

    /// A finite number, also one written as text.
    public var number: Double? {
        let value: Double? =
            switch self {
            case .whole(let value): Double(value)
            case .number(let value): value
            case .string(let value): Double(value)
            case .null, .boolean, .array, .object: nil
            }
        return value.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Whether it says yes: `true`, a number other than 0, or one of YAML's words for it.
    public var isTrue: Bool {
        switch self {
        case .boolean(let value): value
        case .whole(let value): value != 0
        case .number(let value): value != 0
        case .string(let value): ["true", "yes", "on", "1"].contains(value.lowercased())
        case .null, .array, .object: false
        }
    }

    /// A text that is one.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// A whole number that is one.
    public var whole: Int? { if case .whole(let value) = self { value } else { nil } }

    /// A value of an object by its name.
    public subscript(name: String) -> JSONValue? {
        if case .object(let values) = self { values[name] } else { nil }
    }

    /// The values of an object by their names; empty for anything else.
    public var members: [String: JSONValue] {
        if case .object(let values) = self { values } else { [:] }
    }

    /// The values of an array; none of anything else.
    public var elements: [JSONValue] {
        if case .array(let values) = self { values } else { [] }
    }
}
