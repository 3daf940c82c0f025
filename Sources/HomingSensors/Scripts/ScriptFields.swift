internal import HomingJSON

/// The fields of an object in a script's output, and where it stands, so that a fault can name them.
struct ScriptFields {
    private let fields: [String: JSONValue]
    /// Text before a field's name: `sensors[0].`
    private let place: String

    init(_ fields: [String: JSONValue], at place: String) {
        self.fields = fields
        self.place = place
    }

    func fault(_ field: String, _ message: String) -> ScriptFault {
        ScriptFault("\(place)\(field)", message)
    }

    /// Refuses fields that mean nothing: a slip in an optional one would go unnoticed.
    func allow(_ known: [String]) throws(ScriptFault) {
        if let unknown = fields.keys.filter({ !known.contains($0) }).min() {
            throw fault(unknown, "is not a known field: \(known.joined(separator: ", "))")
        }
    }

    /// A field that is there and not `null`.
    subscript(field: String) -> JSONValue? {
        fields[field].flatMap { $0 == .null ? nil : $0 }
    }

    /// A field that must be there, and may be `null`.
    func required(_ field: String) throws(ScriptFault) -> JSONValue {
        guard let value = fields[field] else { throw fault(field, "is missing") }
        return value
    }

    func text(_ field: String) throws(ScriptFault) -> String? {
        guard let value = self[field] else { return nil }
        guard case .string(let text) = value else { throw fault(field, "is not a text") }
        guard !text.isEmpty, text.unicodeScalars.count <= 100 else {
            throw fault(field, "is not 1 to 100 characters long")
        }
        return text
    }

    func requiredText(_ field: String) throws(ScriptFault) -> String {
        guard let text = try text(field) else { throw fault(field, "is missing") }
        return text
    }

    func choice(_ field: String, _ allowed: [String]) throws(ScriptFault) -> String? {
        guard let text = try text(field) else { return nil }
        guard allowed.contains(text) else {
            let words = allowed.joined(separator: ", ")
            throw fault(field, "\(text.debugDescription) is not allowed; allowed is \(words)")
        }
        return text
    }

    func whole(_ field: String, _ range: ClosedRange<Int>) throws(ScriptFault) -> Int? {
        guard let value = self[field] else { return nil }
        guard case .whole(let number) = value, range.contains(number) else {
            throw fault(
                field,
                "is not a whole number of seconds, \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func list(_ field: String) throws(ScriptFault) -> [JSONValue] {
        guard case .array(let list) = try required(field) else {
            throw fault(field, "is not a list")
        }
        return list
    }
}
