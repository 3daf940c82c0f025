public import HomingHealth

/// The result of `examine`.
public struct ExaminationReport: Codable, Equatable, Sendable {
    public var findings: [Finding]

    public init(findings: [Finding]) { self.findings = findings }
}
