internal import HomingBase

/// The values and the errors of the main files, or of the files of a part, as far as they were read.
struct Reading<Root: Sendable> {
    private let table: Table<Root>
    /// The values so far, right or not.
    private(set) var values: Root
    private var given = Given()
    private var refused: Set<String> = []
    /// Keys, as `section.key`, that a line with an error sets, or probably means to set.
    private(set) var unreadable: Set<String> = []
    private var files: [String] = []
    private var diagnostics: [Diagnostic] = []
    private let isPart: Bool
    private(set) var notes: [Diagnostic] = []

    /// Begins with the values that a part has without a file of its own; for the main files, with
    /// the defaults.
    init(_ table: Table<Root>, part values: Root? = nil) {
        self.table = table
        self.values = values ?? table.defaults
        isPart = values != nil
    }

    /// The file as a whole cannot be used.
    mutating func refuse(_ file: String, _ message: String) {
        files.append(file)
        diagnostics.append(Diagnostic(file: file, message))
    }

    /// Takes a file's values over those read before it.
    mutating func readFileContent(_ content: [UInt8], of file: String) {
        files.append(file)
        var content = content[...]
        if content.starts(with: [0xEF, 0xBB, 0xBF]) {
            content = content.dropFirst(3)
            report(file, 1, "begins with a byte order mark; save it as UTF-8 without one")
        }
        let lines = LineScanner(content)
        for problem in lines.problems { report(file, problem.line, problem.message) }
        for (section, key) in lines.broken {
            noteUnreadable(key, in: table.meantSection(by: section))
        }
        for section in lines.sections { checkSection(section, of: file) }
        var first: [String: Int] = [:]
        for assignment in lines.assignments { readAssignment(assignment, of: file, first: &first) }
    }

    private mutating func checkSection(_ section: LineScanner.Section, of file: String) {
        guard let declared = table.section(named: section.name) else {
            let message = "unknown section\(table.advice(onSection: section.name))"
            return report(file, section.line, message, key: "[\(shortened(section.name))]")
        }
        guard section.name == declared.formerName else { return }
        let message = "is called [\(declared.name)] now; the old name is still read"
        notes.append(
            Diagnostic(file: file, line: section.line, key: "[\(section.name)]", message))
    }

    private mutating func readAssignment(
        _ assignment: LineScanner.Assignment, of file: String, first: inout [String: Int]
    ) {
        let line = assignment.line
        guard let sectionName = assignment.section else {
            let message =
                "stands before the first [section]\(table.otherSections(with: assignment.key))"
            return report(file, line, message, key: shortened(assignment.key))
        }
        // An unknown section has been reported, once for all its keys.
        guard let section = table.section(named: sectionName) else {
            return noteUnreadable(assignment.key, in: table.meantSection(by: sectionName))
        }
        guard let key = section.key(named: assignment.key) else {
            noteUnreadable(assignment.key, in: section)
            let message = "unknown key\(table.advice(onKey: assignment.key, in: section))"
            let name = "\(section.name).\(shortened(assignment.key))"
            return report(file, line, message, key: name)
        }
        let name = "\(section.name).\(key.name)"
        if isPart, section.scope(of: key) == .program {
            let (whole, part) = (table.parts?.whole ?? "", table.parts?.part ?? "")
            let message =
                "holds for the whole \(whole), not for one \(part); set it in the main file"
            return report(file, line, message, key: name)
        }
        if let first = first[name] {
            unreadable.insert(name)
            return report(file, line, "is set already on line \(first)", key: name)
        }
        first[name] = line
        read(assignment, key, name: name, file: file)
    }

    /// A name that is not known stands for the nearest one.
    private mutating func noteUnreadable(_ key: String, in section: Section<Root>?) {
        guard let section else { return }
        let names = section.keys.map(\.name)
        let meant = names.contains(key) ? key : Suggestion.nearest(to: key, among: names)
        if let meant { unreadable.insert("\(section.name).\(meant)") }
    }

    private mutating func read(
        _ assignment: LineScanner.Assignment, _ key: Key<Root>, name: String, file: String
    ) {
        given.places[name] = (file, assignment.line)
        do throws(Refusal) {
            try key.read(RawValue(assignment.value), &values)
        } catch {
            refused.insert(name)
            unreadable.insert(name)
            let hint =
                " \(assignment.value)".holds(" #") ? "; a comment stands on a separate line" : ""
            report(file, assignment.line, error.message + hint, key: name)
        }
    }

    private mutating func report(
        _ file: String, _ line: Int, _ message: String, key: String? = nil
    ) {
        diagnostics.append(Diagnostic(file: file, line: line, key: key, message))
    }

    /// The errors of the files, in the order of the files and of their lines.
    func problems() -> [Diagnostic] { sorted(diagnostics + brokenRules()) }

    /// Notes for the keys of the main files that hold for one part alone. Each note names this part.
    func ownKeys(first: String?) -> [Diagnostic] {
        let part = table.parts?.part ?? ""
        let message =
            first.map { "holds for the \(part) \(quoted($0)) alone" }
            ?? "holds for no \(part): there is no first \(part); "
            + "move the key to the file of a \(part)"
        return table.sections.flatMap { section in
            section.keys.filter { section.scope(of: $0) == .own }.compactMap { key in
                let name = "\(section.name).\(key.name)"
                return given.places[name].map { place in
                    Diagnostic(file: place.file, line: place.line, key: name, message)
                }
            }
        }
    }

    private func brokenRules() -> [Diagnostic] {
        table.rules.compactMap { rule in
            guard refused.isDisjoint(with: rule.keys),
                let (key, message) = rule.check(values, given),
                // Or the key by which a part breaks what it inherits.
                let place = ([key] + rule.keys).lazy.compactMap({ given.places[$0] }).first
            else { return nil }
            return Diagnostic(file: place.file, line: place.line, key: key, message)
        }
    }

    private func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        diagnostics.enumerated().map { offset, diagnostic in
            let file = files.firstIndex(of: diagnostic.file) ?? 0
            return (rank: (file, diagnostic.line ?? 0, offset), diagnostic: diagnostic)
        }.sorted { $0.rank < $1.rank }.map(\.diagnostic)
    }
}
