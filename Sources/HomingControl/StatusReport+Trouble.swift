public import HomingHealth

/// What is wrong.
extension StatusReport {
    /// Something a person can act on.
    public struct Warning: Codable, Equatable, Sendable {
        public var code: String
        /// `error` or `warning`.
        public var severity: String?
        public var text: String
        /// What was said or found, in another program's words.
        public var detail: String?
        public var hint: String
    }

    /// Something Home Assistant would not take.
    public struct Rejection: Codable, Equatable, Sendable {
        /// Seconds since 1970.
        public var time: Double
        public var what: String
        public var reason: String

        public init(time: Double, what: String, reason: String) {
            self.time = time
            self.what = what
            self.reason = reason
        }
    }
}

extension StatusReport.Warning {
    /// What is wrong, as the table of its subject has it.
    public init(_ warnable: Warnable, detail: String?) {
        self.init(
            code: warnable.code, severity: warnable.severity.rawValue, text: warnable.text,
            detail: detail, hint: warnable.hint)
    }
}
