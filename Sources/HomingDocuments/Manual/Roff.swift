internal import HomingBase

/// Writes manual pages in the language of man(7), for groff and mandoc alike.
struct Roff {
    private var lines: [String] = []

    /// The whole file, ending in a line break.
    ///
    /// - Parameters:
    ///   - date: of the release, `2026-11-21`.
    ///   - version: of the program.
    static func text(_ page: ManualPage, date: String, version: String) -> String {
        var roff = Roff()
        roff.lines = [
            #".\" Made from the program's own tables by `make documents`; changes here are lost."#,
            ".TH \(page.name.uppercased()) \(page.section) \(date) \"Homing \(version)\" Homing",
            ".SH NAME",
            "\(literal(page.name)) \\- \(prose(page.summary))",
        ]
        for chapter in page.chapters where !chapter.blocks.isEmpty { roff.add(chapter) }
        return roff.lines.joined(separator: "\n") + "\n"
    }

    private mutating func add(_ chapter: ManualPage.Chapter) {
        lines.append(".SH \(Self.argument(Self.prose(chapter.title)))")
        // The first paragraph under a heading needs no macro; mandoc's lint minds one.
        var isFirst = true
        for block in chapter.blocks {
            add(block, isFirst: isFirst)
            if case .heading = block { isFirst = true } else { isFirst = false }
        }
    }

    private mutating func add(_ block: ManualPage.Block, isFirst: Bool) {
        switch block {
        case .heading(let spans):
            lines.append(".SS \(Self.argument(Self.label(spans)))")
        case .text(let text):
            if !isFirst { lines.append(".PP") }
            addParagraphs(text, between: ".PP")
        case .line(let spans):
            if !isFirst { lines.append(".PP") }
            lines.append(Self.protected(Self.label(spans)))
        case .entry(let spans, let text):
            lines += [".TP", Self.protected(Self.label(spans))]
            addParagraphs(text, between: ".IP")
        case .example(let text):
            lines += [".PP", ".EX"]
            lines += text.split(separator: "\n").map { Self.protected("    \(Self.literal($0))") }
            lines.append(".EE")
        }
    }

    private mutating func addParagraphs(_ text: String, between macro: String) {
        var needsMacro = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                needsMacro = true
                continue
            }
            if needsMacro { lines.append(macro) }
            needsMacro = false
            for sentence in Self.sentences(line) {
                lines += wrapped(Self.prose(sentence), width: 79).map(Self.protected)
            }
        }
    }

    /// Returns one sentence a line, as man-pages(7) asks: the formatter then puts the space between
    /// them.
    static func sentences(_ text: Substring) -> [String] {
        var sentences: [String] = []
        var current: [Substring] = []
        for word in text.split(separator: " ") {
            current.append(word)
            guard let end = word.last(where: { $0 != "\"" && $0 != ")" }), ".?!".contains(end)
            else {
                continue
            }
            sentences.append(current.joined(separator: " "))
            current = []
        }
        return current.isEmpty ? sentences : sentences + [current.joined(separator: " ")]
    }

    /// A line must not begin with what roff takes for a request.
    static func protected(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&\(line)" : line
    }

    private static func label(_ spans: [ManualPage.Span]) -> String {
        spans.map { span in
            switch span {
            case .plain(let text): prose(text)
            case .literal(let text): "\\fB\(literal(text))\\fR"
            case .value(let text): "\\fI\(literal(text))\\fR"
            }
        }.joined()
    }

    private static func argument(_ text: String) -> String {
        text.contains(" ") ? "\"\(text)\"" : text
    }

    /// Words for people: a hyphen stays one that may break, an option does not.
    static func prose(_ text: some StringProtocol) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let isOption = word.drop { !"-/~$".contains($0) && !$0.isLetter }.hasPrefix("-")
            return isOption ? literal(word) : escaped(word, hyphen: "-")
        }.joined(separator: " ")
    }

    /// Returns a text that is typed as it stands: with an ASCII minus, which can be copied.
    static func literal(_ text: some StringProtocol) -> String { escaped(text, hyphen: "\\-") }

    private static func escaped(_ text: some StringProtocol, hyphen: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\e"
            case "-": hyphen
            case "\"": "\\(dq"
            case "'": "\\(aq"
            case "`": "\\(ga"
            case "^": "\\(ha"
            case "~": "\\(ti"
            case _ where scalar.isASCII: String(scalar)
            default:
                "\\[u" + padded(String(scalar.value, radix: 16, uppercase: true)) + "]"
            }
        }.joined()
    }

    private static func padded(_ digits: String) -> String {
        String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
