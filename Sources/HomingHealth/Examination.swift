internal import HomingBase

/// Everything the doctor found: one value from which the text and the JSON are made.
public struct Examination: Equatable, Sendable {
    public let findings: [Finding]

    public init(_ findings: [Finding]) {
        self.findings = findings.enumerated().sorted {
            (Self.place($0.element), $0.offset) < (Self.place($1.element), $1.offset)
        }.map(\.element)
    }

    /// Those about endpoints stay together, endpoint by endpoint.
    private static func place(_ finding: Finding) -> Int {
        let check = finding.subject == nil ? finding.check : .registration
        return (Check.allCases.firstIndex(of: check) ?? 0) * 2 + (finding.subject == nil ? 0 : 1)
    }

    /// Whether nothing is wrong.
    public var isWell: Bool { !findings.contains { $0.outcome == .wrong } }

    /// Findings of faults that no other fault explains.
    public var causes: [Finding] {
        let raised = Dictionary(grouping: findings, by: \.home).mapValues {
            Set($0.compactMap(\.problem))
        }
        return findings.filter { finding in
            guard let problem = finding.problem else { return false }
            return !problem.dependsOn.contains { other in
                [nil, finding.home].contains { raised[$0]?.contains(other) ?? false }
            }
        }
    }

    /// The same without hosts, networks, places, names of the device and of users: fit for a bug
    /// report. A word has one stand-in throughout, so that it can be followed.
    public func redacted() -> Examination {
        var names: [String: String] = [:]
        var counts: [Finding.Privacy.Kind: Int] = [:]
        let words = findings.flatMap(\.privacies).filter { $0.text.count > 1 }
        for word in words where names[word.text] == nil {
            let number = (counts[word.kind] ?? 0) + 1
            counts[word.kind] = number
            names[word.text] = "<\(word.kind.rawValue) \(number)>"
        }
        // The longest first: one may be part of another.
        let order = names.sorted { ($0.key.count, $0.key) > ($1.key.count, $1.key) }
        let hide: (String) -> String = { text in
            order.reduce(text) { $0.replacingEach($1.key, with: $1.value) }
        }
        let hidden = findings.map { finding in
            var finding = finding
            finding.detail = hide(finding.detail)
            // Advice of its own may name a user; the warnable's advice names nobody.
            finding.hint = nil
            finding.subject = finding.subject.map(hide)
            finding.home = finding.home.map(hide)
            finding.privacies = []
            return finding
        }
        return Examination(hidden)
    }
}
