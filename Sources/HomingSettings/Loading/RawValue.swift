internal import HomingBase

/// The value of one `key = value` line, in the grammar of GKeyFile. Blanks at the ends of a value and
/// around the `;` of a list nobody means: one that is meant is written `\s`.
public struct RawValue {
    private let raw: String

    /// - Parameter raw: what follows the `=` of a line that the scanner took for an assignment.
    init(_ raw: String) { self.raw = raw }

    /// The value with its escapes resolved and without blanks at its ends.
    public func text() throws(Refusal) -> String { try Self.resolved(raw) }

    /// The items of a list separated by `;`, each without blanks at its ends; none if the value is
    /// empty. What follows the last `;` is an item if it is not empty.
    public func list() throws(Refusal) -> [String] {
        var parts = [""]
        var isEscaped = false
        for scalar in raw.unicodeScalars {
            if scalar == Self.separator, !isEscaped {
                parts.append("")
            } else {
                parts[parts.count - 1].unicodeScalars.append(scalar)
            }
            isEscaped = scalar == "\\" && !isEscaped
        }
        var items: [String] = []
        for part in parts { items.append(try Self.resolved(part, escaping: Self.separator)) }
        if items.last == "" { items.removeLast() }
        return items
    }

    private static let separator: Unicode.Scalar = ";"
    private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
        "s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\",
    ]

    private static func resolved(
        _ raw: String, escaping other: Unicode.Scalar? = nil
    ) throws(Refusal) -> String {
        var text = ""
        var rest = trimmed(raw).unicodeScalars[...]
        while var scalar = rest.popFirst() {
            if scalar == "\\" {
                guard let escape = rest.popFirst(),
                    let meant = escape == other ? escape : escapes[escape]
                else { throw invalidEscape }
                scalar = meant
            }
            text.unicodeScalars.append(scalar)
        }
        if text.unicodeScalars.contains(where: isControl) {
            throw Refusal("has a control character, such as a line break")
        }
        if text.count > 1, let first = text.first, first == text.last, "\"'".contains(first) {
            throw Refusal("is in quotation marks; write the value without them")
        }
        return text
    }

    private static let invalidEscape = Refusal(
        #"has an invalid escape; write "\\" for a backslash, "\s" for a blank, "#
            + #""\;" in a list for ";""#
    )

    private static func trimmed(_ raw: String) -> String {
        var text = raw[...]
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text.drop { $0 == " " || $0 == "\t" })
    }
}
