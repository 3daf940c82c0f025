/// Why the daemon did not do what it was asked.
public struct ControlError: Error, Codable, Equatable, Sendable {
    /// The exit code that `homing` ends with.
    public var code: Int32
    /// What is wrong.
    public var message: String
    /// What to do about it.
    public var hint: String?

    public init(_ code: ExitCode, _ message: String, hint: String? = nil) {
        self.code = code.rawValue
        self.message = message
        self.hint = hint
    }

    /// The exit code, where this version knows it; never that of success.
    public var exitCode: ExitCode {
        guard let exitCode = ExitCode(rawValue: code), exitCode != .done else { return .failure }
        return exitCode
    }
}

/// The daemon's answer: a result, or why there is none; `event` instead of `result` in a stream.
public struct ControlReply<Value: Codable & Sendable>: Codable, Sendable {
    public var id: Int
    public var result: Value?
    public var event: Value?
    public var error: ControlError?

    public init(id: Int, result: Value) {
        self.id = id
        self.result = result
    }

    public init(id: Int, event: Value) {
        self.id = id
        self.event = event
    }

    public init(id: Int, error: ControlError) {
        self.id = id
        self.error = error
    }
}

/// The result of what has none.
public struct Done: Codable, Equatable, Sendable {
    public init() {}
}
