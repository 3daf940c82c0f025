internal import CHiredis

/// Reads the engine's answers out of the bytes as they come.
///
/// hiredis parses; the replies are made here, so that a size which is announced is judged before memory
/// is taken for it: hiredis 0.14.1 would allocate what the head of an array says.
public final class ReplyReader {
    private let limits: ReplyLimits
    private let workshop: Workshop
    private var reader: UnsafeMutablePointer<homing_redis_reader>?

    public init(limits: ReplyLimits = ReplyLimits()) {
        self.limits = limits
        workshop = Workshop(limits)
        reader = homing_redis_reader_new(workshop.maker)
    }

    deinit {
        if let reader { homing_redis_reader_free(reader) }
    }

    /// Takes bytes, and returns the answers that are complete.
    ///
    /// - Throws: where nothing that follows can be read.
    public func feed(_ bytes: UnsafeRawBufferPointer) throws(ReplyFault) -> [Reply] {
        guard let reader else { throw ReplyFault("there is no memory for answers") }
        guard homing_redis_feed(reader, bytes.baseAddress, bytes.count) == REDIS_OK else {
            throw ReplyFault("there is no memory for an answer")
        }
        var replies: [Reply] = []
        while true {
            var pointer: UnsafeMutableRawPointer?
            guard homing_redis_next(reader, &pointer) == REDIS_OK else {
                throw ReplyFault(
                    workshop.refusal ?? "the answer is not in the protocol of Valkey or Redis")
            }
            guard let pointer else { break }
            replies.append(workshop.finish(pointer))
        }
        guard homing_redis_unread(reader) <= limits.unread else {
            throw ReplyFault("an answer is larger than \(limits.unread) bytes")
        }
        return replies
    }
}

/// Makes replies for hiredis, within bounds.
private final class Workshop {
    /// A reply under way: an array's elements come one after the other.
    private final class Piece {
        let reply: Reply
        /// Arrays around it.
        let level: Int
        var elements: [Piece] = []

        init(_ reply: Reply, level: Int) { (self.reply, self.level) = (reply, level) }

        var whole: Reply {
            guard case .array = reply else { return reply }
            return .array(elements.map(\.whole))
        }
    }

    private let limits: ReplyLimits
    private var made = 0
    /// Bytes of the texts of the answer under way.
    private var bytes = 0
    /// Reason why an answer was refused.
    private(set) var refusal: String?

    init(_ limits: ReplyLimits) { self.limits = limits }

    /// The whole reply that hiredis hands out.
    func finish(_ pointer: UnsafeMutableRawPointer) -> Reply {
        (made, bytes) = (0, 0)
        return Unmanaged<Piece>.fromOpaque(pointer).takeRetainedValue().whole
    }

    private func make(_ reply: Reply, in parent: UnsafeMutableRawPointer?)
        -> UnsafeMutableRawPointer?
    {
        made += 1
        guard made <= limits.elements else { return refuse("an answer has too many elements") }
        guard let parent else {
            return Unmanaged.passRetained(Piece(reply, level: 0)).toOpaque()
        }
        let array = Unmanaged<Piece>.fromOpaque(parent).takeUnretainedValue()
        guard array.level < limits.levels else { return refuse("an answer is too deep") }
        let piece = Piece(reply, level: array.level + 1)
        array.elements.append(piece)
        return Unmanaged.passUnretained(piece).toOpaque()
    }

    private func refuse(_ reason: String) -> UnsafeMutableRawPointer? {
        refusal = reason
        return nil
    }

    private func text(
        _ type: Int32, _ bytes: UnsafeRawBufferPointer, in parent: UnsafeMutableRawPointer?
    ) -> UnsafeMutableRawPointer? {
        guard bytes.count <= limits.text else { return refuse("a text of an answer is too long") }
        self.bytes += bytes.count
        guard self.bytes <= limits.whole else { return refuse("an answer is too long") }
        switch type {
        case REDIS_REPLY_STRING: return make(.text(Array(bytes)), in: parent)
        case REDIS_REPLY_STATUS:
            return make(.status(String(decoding: bytes, as: UTF8.self)), in: parent)
        case REDIS_REPLY_ERROR:
            return make(.error(String(decoding: bytes, as: UTF8.self)), in: parent)
        default: return refuse("an answer is of a kind that was not asked for")
        }
    }

    private func array(
        _ count: Int64, in parent: UnsafeMutableRawPointer?
    ) -> UnsafeMutableRawPointer? {
        guard count >= 0, count <= Int64(limits.elements - made) else {
            return refuse("an answer has too many elements")
        }
        return make(.array([]), in: parent)
    }

    /// The functions that hiredis calls. They do not retain the workshop.
    var maker: homing_redis_maker {
        var maker = homing_redis_maker()
        maker.context = Unmanaged.passUnretained(self).toOpaque()
        maker.text = { context, parent, _, type, bytes, size in
            Workshop.of(context)?.text(
                type, UnsafeRawBufferPointer(start: bytes, count: size), in: parent)
        }
        maker.array = { context, parent, _, count in Workshop.of(context)?.array(count, in: parent)
        }
        maker.number = { context, parent, _, value in
            Workshop.of(context)?.make(.number(Int(value)), in: parent)
        }
        maker.nothing = { context, parent, _ in Workshop.of(context)?.make(.nothing, in: parent) }
        maker.release = { pointer in
            if let pointer { Unmanaged<Piece>.fromOpaque(pointer).release() }
        }
        return maker
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Workshop? {
        context.map { Unmanaged<Workshop>.fromOpaque($0).takeUnretainedValue() }
    }
}
