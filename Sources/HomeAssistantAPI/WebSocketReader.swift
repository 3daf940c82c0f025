/// Reads what Home Assistant says over a WebSocket.
///
/// Most answers to webhook requests differ from the answer before in their number alone. Such an
/// answer is compared with that answer and not parsed. Everything else is read as JSON.
public struct WebSocketReader {
    /// The answer that was parsed last.
    private struct Answer {
        /// The bytes behind the number.
        let tail: [UInt8]
        let reply: WebSocketMessage.Reply
    }

    /// The beginning of every answer of Home Assistant; a number follows.
    private static let head = Array(#"{"id":"#.utf8)
    /// Bytes of the longest answer that is kept for comparison.
    private static let longest = 512
    /// Digits of the longest number that is compared.
    private static let mostDigits = 9

    private var last: Answer?

    public init() {}

    /// The message that `WebSocketMessage` makes of the bytes.
    public mutating func message(in bytes: [UInt8]) -> WebSocketMessage? {
        if let last, let id = comparedID(in: bytes) { return .done(id: id, reply: last.reply) }
        let message = WebSocketMessage(bytes)
        if case .done(let id, let reply?)? = message, let tail = Self.tail(of: bytes, behind: id) {
            last = Answer(tail: tail, reply: reply)
        }
        return message
    }

    /// The number of an answer that is like the last answer otherwise; `nil` for any other message.
    func comparedID(in bytes: [UInt8]) -> Int? {
        last.flatMap { Self.number(in: bytes, before: $0.tail) }
    }

    /// The number between the head and this tail; `nil` for bytes of another shape.
    private static func number(in bytes: [UInt8], before tail: [UInt8]) -> Int? {
        let end = bytes.count - tail.count
        guard end > head.count, end <= head.count + mostDigits, bytes.starts(with: head),
            bytes[end...] == tail[...]
        else { return nil }
        return number(of: bytes[head.count..<end])
    }

    /// Reads a whole number in JSON's form; `nil` for anything else.
    private static func number(of digits: ArraySlice<UInt8>) -> Int? {
        guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1 else {
            return nil
        }
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = 10 * number + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }

    /// The bytes behind the number of an answer; `nil` where an answer with another number could
    /// mean something else: the object may have a second number.
    private static func tail(of bytes: [UInt8], behind id: Int) -> [UInt8]? {
        guard bytes.count <= longest, bytes.starts(with: head) else { return nil }
        let digits = bytes[head.count...].prefix { $0 != UInt8(ascii: ",") }
        guard digits.count <= mostDigits, number(of: digits) == id else { return nil }
        let tail = Array(bytes[digits.endIndex...])
        let isPlain = !contains(#""id""#, in: tail) && !contains(#"\u"#, in: tail)
        return isPlain ? tail : nil
    }

    private static func contains(_ text: String, in bytes: [UInt8]) -> Bool {
        let wanted = Array(text.utf8)
        return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
    }
}
