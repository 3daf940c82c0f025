internal import HomingBase
internal import HomingControl
public import HomingHealth

/// The doctor's report as people and programs read it.
extension Examination {
    /// A line for each finding, and what to do about what is wrong.
    ///
    /// - Parameter typed: makes the hints those that this user has to type.
    public func text(typed: (String) -> String = { $0 }) -> String {
        let titles = findings.map(title)
        // A detail begins in the same column on every line, but for a title that is longer than the rest.
        let width = min(40, titles.map(\.count).max() ?? 0) + 2
        var lines = zip(findings, titles).map { line($0, title: $1, width: width) }
        lines.append("")
        if isWell {
            lines.append("Nothing is wrong.")
        } else {
            var told: Set<[String]> = []
            for cause in causes {
                guard let problem = cause.problem else { continue }
                let hint = "  → \(typed(hint(problem, of: cause)))"
                let advice = ["\(problem.text) (\(problem.code)).", hint]
                if told.insert(advice).inserted { lines += advice }
            }
        }
        // What is in a detail may be a stranger's choice: it gives no orders to the terminal.
        return lines.map { SafeText.line($0) }.joined(separator: "\n") + "\n"
    }

    /// With the finding's home alone: a report for strangers hides the name on the command line.
    private func hint(_ problem: Warnable, of finding: Finding) -> String {
        let hint = finding.hint ?? problem.hint
        return finding.home.map { hint.namingHome($0) } ?? hint
    }

    private func title(_ finding: Finding) -> String {
        finding.check.title + (finding.subject.map { " (\($0))" } ?? "")
    }

    private func line(_ finding: Finding, title: String, width: Int) -> String {
        let mark =
            switch finding.outcome {
            case .well: "✓"
            case .wrong: finding.problem?.severity == .error ? "✗" : "!"
            case .skipped: "–"
            }
        let padding = String(repeating: " ", count: max(1, width - title.count))
        return "\(mark) \(title)\(padding)\(finding.detail)"
    }

    /// JSON with sorted keys.
    public var json: String {
        struct Row: Encodable {
            var check: String
            var subject: String?
            var home: String?
            var outcome: String
            var code: String?
            var severity: String?
            var text: String?
            var hint: String?
            var detail: String
        }
        struct Report: Encodable {
            var well: Bool
            var causes: [String]
            var findings: [Row]
        }
        // Of two homes with one fault the code stands there once.
        var codes: [String] = []
        for code in causes.compactMap(\.warnable) where !codes.contains(code) { codes.append(code) }
        let report = Report(
            well: isWell, causes: codes,
            findings: findings.map { finding in
                Row(
                    check: finding.check.rawValue, subject: finding.subject, home: finding.home,
                    outcome: finding.outcome.rawValue, code: finding.warnable,
                    severity: finding.problem?.severity.rawValue, text: finding.problem?.text,
                    hint: finding.problem.map { hint($0, of: finding) }, detail: finding.detail)
            })
        return ReportJSON.text(report)
    }
}
