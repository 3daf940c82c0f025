/// Reads what the other end sends: frames, put together to messages. RFC 6455, sections 5 and 7.
///
/// A violation of the standard ends the connection. A declared length reserves no memory. The
/// reader holds one message of at most `limit` bytes, and no bytes between messages.
public struct FrameReader: Sendable {
    /// An item of the stream.
    public enum Item: Equatable, Sendable {
        /// A whole message, of valid UTF-8.
        case text([UInt8])
        case ping([UInt8])
        case pong
        /// The other end closes; without a code it sent none.
        case close(code: UInt16?, reason: String)
    }

    /// A violation of the protocol by the other end, with the close code for it.
    public struct Violation: Error, Equatable {
        public let code: UInt16
        /// Text for people.
        public let text: String

        static func protocolError(_ text: String) -> Violation { Violation(code: 1002, text: text) }
    }

    private struct Head {
        var isFinal: Bool
        var opcode: WebSocketFrame.Opcode
        var size: Int
        var headSize: Int
        /// Index of the first of the mask's four bytes in the buffer.
        var mask: Int?
    }

    private let limit: Int
    private let role: WebSocketRole
    private var buffer: [UInt8] = []
    /// Bytes of the buffer that are done with.
    private var offset = 0
    /// Bytes of the message so far; `nil` between messages.
    private var message: [UInt8]?

    /// - Parameters:
    ///   - limit: bytes of a message.
    ///   - role: which end reads: a server takes masked frames alone, a client none.
    public init(limit: Int, role: WebSocketRole) {
        self.limit = limit
        self.role = role
    }

    /// Takes bytes as they come, in whatever pieces.
    public mutating func feed(_ bytes: some Collection<UInt8>) {
        if offset == buffer.count {
            buffer = []
        } else if offset > 0 {
            buffer.removeFirst(offset)
        }
        offset = 0
        // What lies in one piece is copied as one.
        let isCopied: Void? = bytes.withContiguousStorageIfAvailable { buffer += $0 }
        if isCopied == nil { buffer += bytes }
    }

    /// The next item; `nil` until more bytes have come.
    public mutating func next() throws(Violation) -> Item? {
        while let head = try head() {
            let start = offset + head.headSize
            guard buffer.count >= start + head.size else { break }
            if let mask = head.mask { unmask(start..<start + head.size, with: mask) }
            let payload = buffer[start..<start + head.size]
            offset = start + head.size
            if let item = try acceptFrame(head, payload) { return item }
        }
        // An idle reader holds no memory. A reader of half a frame holds the bytes of that half.
        if offset == buffer.count {
            (buffer, offset) = ([], 0)
        } else if offset > 0 {
            (buffer, offset) = (Array(buffer[offset...]), 0)
        }
        return nil
    }

    /// Bytes of memory that wait for more.
    var held: Int { buffer.capacity + (message?.capacity ?? 0) }

    /// Takes the mask, which begins at `start`, off these bytes of the buffer.
    private mutating func unmask(_ range: Range<Int>, with start: Int) {
        buffer.withUnsafeMutableBufferPointer { bytes in
            for index in range { bytes[index] ^= bytes[start + (index - range.lowerBound) & 3] }
        }
    }

    /// The next frame's head, if it is there.
    private func head() throws(Violation) -> Head? {
        let available = buffer.count - offset
        guard available >= 2 else { return nil }
        let (first, second) = (buffer[offset], buffer[offset + 1])
        guard first & 0x70 == 0 else { throw .protocolError("reserved bits are set") }
        guard let opcode = WebSocketFrame.Opcode(rawValue: first & 0x0f) else {
            throw .protocolError("an unknown kind of frame")
        }
        let isMasked = second & 0x80 != 0
        guard isMasked == (role == .server) else {
            throw .protocolError(
                isMasked ? "a server's frame is masked" : "a client's frame is not masked")
        }
        let isFinal = first & 0x80 != 0
        let short = second & 0x7f
        if opcode.isControl, !isFinal || short > WebSocketFrame.controlLimit {
            throw .protocolError("a control frame is split or too long")
        }
        let sizeBytes = short == 127 ? 8 : short == 126 ? 2 : 0
        guard available >= 2 + sizeBytes else { return nil }
        var size = sizeBytes == 0 ? UInt64(short) : 0
        for index in 0..<sizeBytes { size = size << 8 | UInt64(buffer[offset + 2 + index]) }
        let room = limit - (opcode.isControl ? 0 : message?.count ?? 0)
        guard size <= UInt64(room) else {
            throw Violation(code: 1009, text: "a message of more than \(limit) bytes")
        }
        let maskSize = isMasked ? 4 : 0
        guard available >= 2 + sizeBytes + maskSize else { return nil }
        return Head(
            isFinal: isFinal, opcode: opcode, size: Int(size),
            headSize: 2 + sizeBytes + maskSize,
            mask: isMasked ? offset + 2 + sizeBytes : nil)
    }

    private mutating func acceptFrame(
        _ head: Head, _ payload: ArraySlice<UInt8>
    ) throws(Violation) -> Item? {
        switch head.opcode {
        case .ping: return .ping(Array(payload))
        case .pong: return .pong
        case .close: return try Self.close(payload)
        case .binary: throw Violation(code: 1003, text: "a message that is no text")
        case .text:
            guard message == nil else { throw .protocolError("a message within another") }
            message = Array(payload)
        case .continuation:
            guard message != nil else { throw .protocolError("a part of no message") }
            message? += payload
        }
        guard head.isFinal, let whole = message else { return nil }
        message = nil
        guard String(validating: whole, as: UTF8.self) != nil else {
            throw Violation(code: 1007, text: "a text that is not UTF-8")
        }
        return .text(whole)
    }

    private static func close(_ payload: ArraySlice<UInt8>) throws(Violation) -> Item {
        if payload.isEmpty { return .close(code: nil, reason: "") }
        guard payload.count >= 2 else { throw .protocolError("half a code to close with") }
        let code = payload.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: break
        default: throw .protocolError("a code that must not be sent")
        }
        guard let reason = String(validating: payload.dropFirst(2), as: UTF8.self) else {
            throw Violation(code: 1007, text: "a reason that is not UTF-8")
        }
        return .close(code: code, reason: reason)
    }
}
