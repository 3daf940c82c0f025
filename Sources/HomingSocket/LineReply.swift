internal import Glibc

/// Reason why a program did not do what it was asked.
public struct LineError: Error, Codable, Equatable, Sendable {
    /// The exit code for a command that asked; from sysexits.h where that has a word for it.
    public var code: Int32
    /// Problem, for people.
    public var message: String
    /// Advice on what to do about the problem.
    public var hint: String?
    /// Whether no program listens. A program never sends this.
    public private(set) var isAbsence = false

    private enum CodingKeys: CodingKey {
        case code, message, hint
    }

    public init(code: Int32, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// Makes the error that no program listens.
    static func absence(_ message: String, hint: String?) -> LineError {
        var error = LineError(code: EX_UNAVAILABLE, message, hint: hint)
        error.isAbsence = true
        return error
    }
}

/// A program's answer: a result, or why there is none; `event` instead of `result` in a stream.
public struct LineReply<Value: Codable & Sendable>: Codable, Sendable {
    public var id: Int
    public var result: Value?
    public var event: Value?
    public var error: LineError?
}

/// The result of what has none.
public struct Done: Codable, Equatable, Sendable {
    public init() {}
}
