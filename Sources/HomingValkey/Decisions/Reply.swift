internal import HomingBase

/// An answer of the engine's, in the second version of its protocol (RESP2).
public enum Reply: Equatable, Sendable {
    case text([UInt8])
    case status(String)
    /// The engine refuses; its words, which begin with a code such as `MOVED`.
    case error(String)
    case number(Int)
    case nothing
    indirect case array([Reply])

    /// The text as people read it, where the reply is a text or a status.
    public var string: String? {
        switch self {
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .status(let text): text
        default: nil
        }
    }

    /// The bytes of a text.
    public var bytes: [UInt8]? { if case .text(let bytes) = self { bytes } else { nil } }

    /// The number, also where it comes as a text.
    public var number: Int? {
        switch self {
        case .number(let number): number
        case .text: string.flatMap { Int($0) }
        default: nil
        }
    }

    /// The elements of an array.
    public var array: [Reply]? { if case .array(let replies) = self { replies } else { nil } }
}

/// The bounds of what an engine may answer.
public struct ReplyLimits: Equatable, Sendable {
    /// Bytes of a text.
    public var text = 1 << 20
    /// Elements of an answer, those of its inner arrays included.
    public var elements = 200_000
    /// Levels of arrays. hiredis 0.14 stops at nine by itself, hiredis 1.2 nowhere.
    public var levels = 7
    /// Bytes of the texts of an answer.
    public var whole = 32 << 20
    /// Bytes that may have come of an answer that is not whole.
    public var unread = 4 << 20

    public init() {}
}

/// A fault of an answer: not the protocol, or beyond `ReplyLimits`.
public struct ReplyFault: Error, Equatable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
