internal import CGLib
internal import HomingBase

/// The value of one `key = value` line, as GKeyFile reads it.
public struct RawValue {
    private let raw: String

    /// - Parameter raw: what follows the `=` of a line that the scanner took for an assignment.
    init(_ raw: String) { self.raw = raw }

    /// The value with its escapes resolved and without blanks at its ends.
    public func text() throws(Refusal) -> String {
        try checked(KeyFileValue(trimmed(raw)).string())
    }

    /// The items of a list separated by `;`, each without blanks at its ends; none if the value is
    /// empty.
    public func list() throws(Refusal) -> [String] {
        var items: [String] = []
        for item in try KeyFileValue(trimmedItems(raw)).strings() {
            items.append(try checked(item))
        }
        return items
    }

    private func checked(_ text: String) throws(Refusal) -> String {
        if text.unicodeScalars.contains(where: isControl) {
            throw Refusal("has a control character, such as a line break")
        }
        if text.count > 1, let first = text.first, first == text.last, "\"'".contains(first) {
            throw Refusal("is in quotation marks; write the value without them")
        }
        return text
    }
}

/// GKeyFile keeps blanks at the end of a value and around the `;` of a list; nobody means them. One
/// that is meant is written `\s`.
private func trimmed(_ raw: String) -> String {
    var text = raw[...]
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return String(text.drop { $0 == " " || $0 == "\t" })
}

private func trimmedItems(_ raw: String) -> String {
    var items = [""]
    var escaped = false
    for character in raw {
        if character == ";", !escaped {
            items.append("")
        } else {
            items[items.count - 1].append(character)
        }
        escaped = character == "\\" && !escaped
    }
    return items.map(trimmed).joined(separator: ";")
}

/// Owns a GKeyFile with one value, with its escapes.
private final class KeyFileValue {
    private static let group = "group"
    private static let key = "key"
    private let file = g_key_file_new()

    init(_ raw: String) { g_key_file_set_value(file, Self.group, Self.key, raw) }

    deinit { g_key_file_unref(file) }

    /// GLib 2.74 gives a text even for an escape that it does not know; the error is there in every version.
    func string() throws(Refusal) -> String {
        var error: UnsafeMutablePointer<GError>?
        let text = g_key_file_get_string(file, Self.group, Self.key, &error)
        defer {
            g_free(text)
            g_clear_error(&error)
        }
        guard let text, error == nil else { throw Self.invalidEscape }
        return String(cString: text)
    }

    func strings() throws(Refusal) -> [String] {
        var count: gsize = 0
        guard let list = g_key_file_get_string_list(file, Self.group, Self.key, &count, nil) else {
            throw Self.invalidEscape
        }
        defer { g_strfreev(list) }
        return (0..<Int(count)).compactMap { list[$0].map { String(cString: $0) } }
    }

    /// The one thing GKeyFile can still refuse in a line of UTF-8 text.
    private static let invalidEscape = Refusal(
        #"has an invalid escape; write "\\" for a backslash, "\s" for a blank, "#
            + #""\;" in a list for ";""#
    )
}
