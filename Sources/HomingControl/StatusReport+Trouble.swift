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

        public init(
            code: String, severity: String? = nil, text: String, detail: String?, hint: String
        ) {
            self.code = code
            self.severity = severity
            self.text = text
            self.detail = detail
            self.hint = hint
        }
    }

    /// Something Home Assistant would not take.
    public struct Rejection: Codable, Equatable, Sendable {
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
