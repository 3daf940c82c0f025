internal import HomingBase

/// Reason why a value is not taken, to follow the key and a colon: what is wrong, what is allowed.
public struct Refusal: Error, Equatable {
    let message: String

    /// Says so.
    public init(_ message: String) { self.message = message }
}

/// A kind of value: what it takes, in words, and the way from the file and back.
public struct Kind<Value: Sendable>: Sendable {
    let allowed: String
    let read: @Sendable (RawValue) throws(Refusal) -> Value
    let write: @Sendable (Value) -> String

    /// Declares a kind; `write` gives what `read` takes.
    public init(
        _ allowed: String, read: @escaping @Sendable (RawValue) throws(Refusal) -> Value,
        write: @escaping @Sendable (Value) -> String
    ) {
        self.allowed = allowed
        self.read = read
        self.write = write
    }

    /// Declares a kind that must have a value: `parse` never sees an empty text.
    public init(
        _ allowed: String, parse: @escaping @Sendable (String) throws(Refusal) -> Value,
        write: @escaping @Sendable (Value) -> String
    ) {
        self.init(
            allowed,
            read: { (raw) throws(Refusal) in
                let text = try raw.text()
                guard !text.isEmpty else { throw Refusal("has no value; allowed is \(allowed)") }
                return try parse(text)
            }, write: write)
    }
}

extension Kind where Value == String? {
    /// Declares a kind of text, or nothing: `parse` never sees an empty one.
    public init(
        optional allowed: String, parse: @escaping @Sendable (String) throws(Refusal) -> String
    ) {
        self.init(
            "\(allowed), or nothing",
            read: { (raw) throws(Refusal) in
                let text = try raw.text()
                return text.isEmpty ? nil : try parse(text)
            }, write: { $0 ?? "" })
    }
}

extension Kind where Value == Bool {
    /// `true` or `false`. GKeyFile's own 1 and 0 are not taken: one way to say a thing is enough.
    public static let boolean = Kind(
        "true or false",
        parse: { (text) throws(Refusal) in
            switch text {
            case "true": return true
            case "false": return false
            default: throw Refusal("\(quoted(text)) is neither true nor false")
            }
        }, write: { $0 ? "true" : "false" })
}

extension Kind where Value == Int {
    /// A whole decimal number in that unit. With `zero`, 0 is taken as well and means that.
    public static func number(
        _ range: ClosedRange<Int>, unit: String? = nil, zero: String? = nil
    ) -> Kind {
        let unit = unit.map { " (\($0))" } ?? ""
        let span = "\(range.lowerBound) to \(range.upperBound)\(unit)"
        let allowed = zero.map { "0 (\($0)) or \(span)" } ?? span
        return Kind(
            allowed,
            parse: { (text) throws(Refusal) in
                guard text.dropFirst(text.hasPrefix("-") ? 1 : 0).isMade(of: ASCII.digits) else {
                    throw Refusal("\(quoted(text)) is not a whole number; allowed is \(allowed)")
                }
                if let number = Int(text), range ~= number || (number == 0 && zero != nil) {
                    return number
                }
                throw Refusal("\(shortened(text)) is out of range; allowed is \(allowed)")
            }, write: { String($0) })
    }
}

extension Kind where Value == Double {
    /// The same for lengths and times, which programs reckon with as `Double`.
    public static func number(
        _ range: ClosedRange<Int>, unit: String? = nil, zero: String? = nil
    ) -> Kind {
        let whole = Kind<Int>.number(range, unit: unit, zero: zero)
        return Kind(
            whole.allowed, read: { (raw) throws(Refusal) in Double(try whole.read(raw)) },
            write: { number in Int(exactly: number).map { String($0) } ?? String(number) })
    }
}

extension Kind where Value: Equatable {
    /// Returns a kind that takes one of a few words.
    public static func choice(
        _ cases: [Value], name: @escaping @Sendable (Value) -> String
    ) -> Kind {
        let words = cases.map(name)
        let allowed = listed(words, "or")
        return Kind(
            allowed,
            parse: { (text) throws(Refusal) in
                if let value = cases.first(where: { name($0) == text }) { return value }
                throw Refusal(
                    "\(quoted(text)) is not allowed; allowed is \(allowed)"
                        + Suggestion.phrase(for: text, among: words))
            }, write: name)
    }
}

extension Kind where Value: CaseIterable & RawRepresentable & Equatable, Value.RawValue == String {
    /// Returns a kind that takes one of the cases, by its raw value.
    public static func choice() -> Kind { choice(Array(Value.allCases), name: { $0.rawValue }) }
}
