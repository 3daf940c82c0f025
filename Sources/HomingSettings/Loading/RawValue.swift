internal import CGLib
internal import HomingBase

/// The value of one `key = value` line, as GKeyFile reads it.
///
/// Each line has a GKeyFile of its own, so that whatever GKeyFile refuses has a line number.
public struct RawValue {
    private let line: String

    /// - Parameter line: a line that the scanner took for an assignment.
    init(line: String) { self.line = line }

    /// The value with its escapes resolved and without blanks at its ends.
    public func text() throws(Refusal) -> String {
        let file = try KeyFileLine(line)
        file.rewrite { trimmed($0) }
        return try checked(file.string())
    }

    /// The items of a list separated by `;`, each without blanks at its ends; none if the value is
    /// empty.
    public func list() throws(Refusal) -> [String] {
        let file = try KeyFileLine(line)
        file.rewrite { trimmedItems($0) }
        var items: [String] = []
        for item in try file.strings() { items.append(try checked(item)) }
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

/// Owns a GKeyFile with one key in one group.
private final class KeyFileLine {
    private static let group = "line"
    private let file: OpaquePointer
    private let key: String

    init(_ line: String) throws(Refusal) {
        guard let file = g_key_file_new() else { throw Refusal("cannot be read: out of memory") }
        let text = "[\(Self.group)]\n\(line)\n"
        var error: UnsafeMutablePointer<GError>?
        guard
            g_key_file_load_from_data(file, text, gsize(text.utf8.count), G_KEY_FILE_NONE, &error)
                != 0,
            let keys = g_key_file_get_keys(file, Self.group, nil, nil)
        else {
            g_clear_error(&error)
            g_key_file_unref(file)
            throw Refusal("cannot be read")
        }
        defer { g_strfreev(keys) }
        self.file = file
        key = keys.pointee.map { String(cString: $0) } ?? ""
    }

    deinit { g_key_file_unref(file) }

    /// Changes the value as it is in the file, escapes and all.
    func rewrite(_ change: (String) -> String) {
        guard let raw = g_key_file_get_value(file, Self.group, key, nil) else { return }
        defer { g_free(raw) }
        g_key_file_set_value(file, Self.group, key, change(String(cString: raw)))
    }

    /// GLib 2.74 gives a text even for an escape that it does not know; the error is there in every version.
    func string() throws(Refusal) -> String {
        var error: UnsafeMutablePointer<GError>?
        let text = g_key_file_get_string(file, Self.group, key, &error)
        defer {
            g_free(text)
            g_clear_error(&error)
        }
        guard let text, error == nil else { throw Self.invalidEscape }
        return String(cString: text)
    }

    func strings() throws(Refusal) -> [String] {
        var count: gsize = 0
        guard let list = g_key_file_get_string_list(file, Self.group, key, &count, nil) else {
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
