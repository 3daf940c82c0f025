/// What has been read of the files so far, and what was wrong with them.
struct Reading {
    private(set) var configuration = Configuration()
    private var given = Given()
    private var refused: Set<String> = []
    private var files: [String] = []
    private var diagnostics: [Diagnostic] = []

    /// The file as a whole cannot be used.
    mutating func refuse(_ file: String, _ message: String) {
        files.append(file)
        diagnostics.append(Diagnostic(file: file, message))
    }

    /// Takes a file's values over those read before it.
    mutating func take(_ content: [UInt8], of file: String) {
        files.append(file)
        var content = content[...]
        if content.starts(with: [0xEF, 0xBB, 0xBF]) {
            content = content.dropFirst(3)
            report(file, 1, "begins with a byte order mark; save it as UTF-8 without one")
        }
        let lines = LineScanner(content)
        for problem in lines.problems { report(file, problem.line, problem.message) }
        for section in lines.sections where Configuration.section(named: section.name) == nil {
            diagnostics.append(UnknownName.section(section.name).diagnostic(file, section.line))
        }
        var first: [String: Int] = [:]
        for assignment in lines.assignments { take(assignment, of: file, first: &first) }
    }

    private mutating func take(
        _ assignment: LineScanner.Assignment, of file: String, first: inout [String: Int]
    ) {
        let line = assignment.line
        guard let sectionName = assignment.section else {
            diagnostics.append(UnknownName.homelessKey(assignment.key).diagnostic(file, line))
            return
        }
        // An unknown section has been reported, once for all its keys.
        guard let section = Configuration.section(named: sectionName) else { return }
        guard let key = section.key(named: assignment.key) else {
            let unknown = UnknownName.key(assignment.key, in: section)
            diagnostics.append(unknown.diagnostic(file, line))
            return
        }
        let name = "\(section.name).\(key.name)"
        if let first = first[name] {
            return report(file, line, "is set already on line \(first)", key: name)
        }
        first[name] = line
        read(assignment, key, name: name, file: file)
    }

    private mutating func read(
        _ assignment: LineScanner.Assignment, _ key: Configuration.Key, name: String, file: String
    ) {
        given.set(name, file: file, line: assignment.line)
        do throws(Refusal) {
            try key.read(RawValue(line: assignment.text), &configuration)
        } catch {
            refused.insert(name)
            let hint = assignment.text.contains(" #") ? "; a comment has a line of its own" : ""
            report(file, assignment.line, error.message + hint, key: name)
        }
    }

    private mutating func report(
        _ file: String, _ line: Int, _ message: String, key: String? = nil
    ) {
        diagnostics.append(Diagnostic(file: file, line: line, key: key, message))
    }

    /// The configuration, if all of it is right.
    func result() -> Result<Configuration, ConfigurationErrors> {
        let all = diagnostics + brokenRules()
        guard !all.isEmpty else { return .success(configuration) }
        return .failure(ConfigurationErrors(diagnostics: bounded(sorted(all))))
    }

    /// Whoever has more to repair has the wrong file, and the journal need not hold all of it.
    private func bounded(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        let limit = 100
        guard diagnostics.count > limit else { return diagnostics }
        let message = "and \(diagnostics.count - limit) more problems from here on"
        let first = diagnostics[limit]
        return diagnostics.prefix(limit)
            + [Diagnostic(file: first.file, line: first.line, message)]
    }

    private func brokenRules() -> [Diagnostic] {
        Rule.all.compactMap { rule in
            guard refused.isDisjoint(with: rule.keys),
                let (key, message) = rule.check(configuration, given),
                let place = given.places[key]
            else { return nil }
            return Diagnostic(file: place.file, line: place.line, key: key, message)
        }
    }

    /// In the order in which the files are read and their lines stand.
    private func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        diagnostics.enumerated().map { offset, diagnostic in
            let file = files.firstIndex(of: diagnostic.file) ?? 0
            return (rank: (file, diagnostic.line ?? 0, offset), diagnostic: diagnostic)
        }.sorted { $0.rank < $1.rank }.map(\.diagnostic)
    }
}
