/// Problem in the files, or something in the files that is worth a note.
public struct Diagnostic: Equatable, Sendable, CustomStringConvertible {
    /// The path of the file, as it was given or found.
    public let file: String
    /// Counted from 1; `nil` if it is about the file as a whole.
    public let line: Int?
    /// `section.key` or `[section]`; `nil` if it is about neither.
    public let key: String?
    /// Text of what is wrong, and what is allowed. The message never has the text of a line that
    /// could not be read. That line may be a secret gone astray.
    public let message: String

    init(file: String, line: Int? = nil, key: String? = nil, _ message: String) {
        self.file = file
        self.line = line
        self.key = key
        self.message = message
    }

    /// `FILE:LINE: section.key: message`.
    public var description: String {
        let place = line.map { "\(file):\($0)" } ?? file
        return [place, key, message].compactMap { $0 }.joined(separator: ": ")
    }
}

/// Problems in the files, in the order of files and lines. These are all problems, or the first
/// hundred and a last one that counts the rest.
public struct SettingsErrors: Error, Equatable, Sendable, CustomStringConvertible {
    /// At least one.
    public let diagnostics: [Diagnostic]

    /// Keeps a hundred errors: a file with more errors is the wrong file, and the journal is spared.
    init(_ diagnostics: [Diagnostic]) {
        let limit = 100
        guard diagnostics.count > limit else {
            self.diagnostics = diagnostics
            return
        }
        let message = "and \(diagnostics.count - limit) more problems from here on"
        let first = diagnostics[limit]
        self.diagnostics =
            diagnostics.prefix(limit) + [Diagnostic(file: first.file, line: first.line, message)]
    }

    /// Text with one line for each problem.
    public var description: String {
        diagnostics.map(\.description).joined(separator: "\n")
    }
}
