internal import HomingBase
internal import HomingControl
public import HomingHealth

/// The doctor's report as people and programs read it.
extension Examination {
    /// A line for each finding, and what to do about what is wrong.
    ///
    /// - Parameter typed: makes the hints those that this user has to type.
    public func text(typed: (String) -> String = { $0 }) -> String {
        var lines = findings.map(line)
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
        finding.home.map { problem.hint.namingHome($0) } ?? problem.hint
    }

    private func line(_ finding: Finding) -> String {
        let mark =
            switch finding.outcome {
            case .well: "✓"
            case .wrong: finding.problem?.severity == .error ? "✗" : "!"
            case .skipped: "–"
            }
        let title = finding.check.title + (finding.subject.map { " (\($0))" } ?? "")
        let padding = String(repeating: " ", count: max(1, 27 - title.count))
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
