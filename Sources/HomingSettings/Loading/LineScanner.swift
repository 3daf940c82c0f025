internal import HomingBase

/// Finds the sections and keys of a file and their lines, and every line that is neither.
///
/// It knows no more of the grammar than that: `RawValue` reads the values.
struct LineScanner {
    struct Section: Equatable {
        let name: String
        let line: Int
    }

    struct Assignment: Equatable {
        /// `nil` before the first section.
        let section: String?
        let key: String
        let line: Int
        /// Text after the "=" and its blanks, as the text is in the file.
        let value: String
    }

    private(set) var sections: [Section] = []
    private(set) var assignments: [Assignment] = []
    /// Keys below a header that cannot be read.
    private(set) var broken: [(section: String, key: String)] = []
    private(set) var problems: [(line: Int, message: String)] = []
    /// Whether the section's header could not be read: the header is reported, the section is not.
    private var inBrokenSection = false
    private var brokenSection = ""

    init(_ content: some Collection<UInt8>) {
        let lines = content.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, bytes) in lines.enumerated() { scan(bytes, line: index + 1) }
    }

    private mutating func scan(_ bytes: some Collection<UInt8>, line: Int) {
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            return report(line, "is not UTF-8; save the file in that encoding")
        }
        // The scalars, since CR and a combining mark would make one Character with its neighbour.
        var scalars = decoded.unicodeScalars[...]
        if scalars.last == "\r" { scalars.removeLast() }
        let text = scalars.drop { $0 == " " || $0 == "\t" }
        if let control = text.first(where: { isControl($0) && $0 != "\t" }) {
            let code = String(control.value, radix: 16)
            return report(line, "has the control character \\u{\(code)}; only tabs are allowed")
        }
        switch text.first {
        case nil, "#": return
        case "[": header(text, line: line)
        default: assignment(text, line: line)
        }
    }

    private mutating func header(_ text: Substring.UnicodeScalarView, line: Int) {
        inBrokenSection = true
        guard let end = text.firstIndex(of: "]") else {
            brokenSection = String(text.dropFirst())
            return report(line, "the section's name lacks its \"]\"")
        }
        let rest = text[text.index(after: end)...]
        guard rest.allSatisfy({ $0 == " " || $0 == "\t" }) else {
            brokenSection = String(text[..<end].dropFirst())
            return report(line, "nothing may follow the \"]\" of a section; \(ownLine)")
        }
        inBrokenSection = false
        sections.append(Section(name: String(text[..<end].dropFirst()), line: line))
    }

    private mutating func assignment(_ text: Substring.UnicodeScalarView, line: Int) {
        guard let equals = text.firstIndex(of: "=") else {
            let remark = text.first == ";" ? "; a comment begins with \"#\"" : ""
            return report(line, "is neither a [section], a key = value nor a # comment\(remark)")
        }
        var key = text[..<equals]
        while key.last == " " || key.last == "\t" { key.removeLast() }
        guard !key.isEmpty else { return report(line, "has no key before the \"=\"") }
        guard !inBrokenSection else {
            broken.append((section: brokenSection, key: String(key)))
            return
        }
        let value = text[text.index(after: equals)...].drop { $0 == " " || $0 == "\t" }
        assignments.append(
            Assignment(
                section: sections.last?.name, key: String(key), line: line, value: String(value)))
    }

    private let ownLine = "a comment stands on a separate line"

    private mutating func report(_ line: Int, _ message: String) {
        problems.append((line, message))
    }
}
