internal import Glibc
internal import HomingJSON
internal import HomingRuntime

/// A command's end of a program's socket; blocking, for a program that does one thing.
public final class LineClient<Asked: Verb> {
    private let descriptor: Int32
    private var input: [UInt8] = []
    /// Moment of the system's uptime at which a wait ends; `nil` without a bound.
    private var waitEnd: Seconds?

    /// Bytes of the longest answer: the largest page of Home Assistant, with all bytes escaped.
    private static var longestAnswer: Int { 8 << 20 }

    /// Connects.
    ///
    /// - Parameter startHint: what to do if no program answers there.
    public convenience init(path: String, startHint: String? = nil) throws(LineError) {
        guard let descriptor = try Self.connect(path) else {
            throw .absence(
                "the \(Asked.server) is not running (no answer at \(path))", hint: startHint)
        }
        self.init(descriptor: descriptor)
    }

    /// Connects; `nil` where no program listens. A program that hangs listens, and is an error.
    ///
    /// - Parameter patience: seconds to wait for a program that takes no connections.
    public static func ifListening(
        path: String, patience: Int = 10
    ) throws(LineError) -> LineClient? {
        try connect(path, patience).map { LineClient(descriptor: $0) }
    }

    private static func connect(
        _ path: String, _ patience: Int = 10
    ) throws(LineError) -> Int32? {
        do throws(SystemError) {
            return try UnixSocket.connect(to: path, patience: patience)
        } catch {
            switch error.number {
            case EACCES:
                throw LineError(
                    code: EX_NOPERM, "not permitted to talk to the \(Asked.server) at \(path)",
                    hint: "use sudo")
            case EAGAIN: throw hangs
            case ENOENT, ECONNREFUSED: return nil
            default: throw LineError(code: EX_UNAVAILABLE, "\(error)")
            }
        }
    }

    /// Takes a socket that is connected.
    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Whether the program runs as another user than this process; `false` if the system does not
    /// tell.
    public var isAnotherUsers: Bool { Peer(of: descriptor).map { $0.user != geteuid() } ?? false }

    /// Bounds the wait for answers from now on: the program may hang. An answer that is not there by then is
    /// a failure with EX_UNAVAILABLE. 0 seconds are no bound.
    public func wait(atMost seconds: Int) {
        UnixSocket.boundWaits(of: descriptor, [SO_RCVTIMEO, SO_SNDTIMEO], seconds: seconds)
        waitEnd = seconds > 0 ? SystemClock.now().uptime + Seconds(seconds) : nil
    }

    /// Sends the verb and waits for its answer.
    public func call<Value: Codable & Sendable>(
        _ verb: Asked, returning: Value.Type
    ) throws(LineError) -> Value {
        try send(verb)
        return try next(Value.self)
    }

    /// Sends the verb and waits for its answer while the loop turns, so that a signal is handled.
    ///
    /// - Parameter patience: seconds to wait; `nil` for no bound, also if `wait(atMost:)` has a bound.
    @LoopActor public func callWhileLoopTurns<Value: Codable & Sendable>(
        _ verb: Asked, returning: Value.Type, within patience: Int? = nil
    ) async throws(LineError) -> Value {
        try send(verb)
        let end = patience.map { SystemClock.now().uptime + Seconds($0) }
        while !input.contains(Self.lineEnd) {
            let left = end.map { max(0, $0 - SystemClock.now().uptime) }
            guard await isReadable(within: left) else { throw Self.hangs }
            try readSome()
        }
        return try next(Value.self)
    }

    /// Waits, and returns whether there is something to read.
    @LoopActor private func isReadable(within patience: Seconds?) async -> Bool {
        var watches: [Watch] = []
        let isReadable = await withCheckedContinuation {
            (continuation: CheckedContinuation<Bool, Never>) in
            var isOver = false
            func finish(_ isReadable: Bool) {
                if !isOver { continuation.resume(returning: isReadable) }
                isOver = true
            }
            watches.append(
                Watch.readable(descriptor) {
                    finish(true)
                    return .done
                })
            if let patience {
                watches.append(Watch.once(after: patience) { finish(false) })
            }
        }
        watches.forEach { $0.cancel() }
        return isReadable
    }

    /// Sends the verb and gives each answer to `body` until that returns false or the program
    /// ends the connection.
    public func stream<Value: Codable & Sendable>(
        _ verb: Asked, of: Value.Type, _ body: (Value) -> Bool
    ) throws(LineError) {
        try send(verb)
        while body(try next(Value.self)) {}
    }

    /// Sends the verb. `next` gives its answer.
    public func send(_ verb: Asked) throws(LineError) {
        guard let data = try? JSON.bytes(LineRequest(id: 1, verb)) else {
            throw LineError(code: EXIT_FAILURE, "the request cannot be written")
        }
        var line = data + [UInt8(ascii: "\n")]
        while !line.isEmpty {
            let count = line.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                line.removeFirst(count)
            } else if errno == EPIPE || errno == ECONNRESET {
                // The program has ended the connection: what it said before tells why.
                return
            } else if errno != EINTR {
                throw Self.gone
            }
        }
    }

    /// Waits for an answer.
    public func next<Value: Codable & Sendable>(_ type: Value.Type) throws(LineError) -> Value {
        let line = try readLine()
        guard let reply = try? JSON.decode(LineReply<Value>.self, from: line)
        else {
            throw LineError(
                code: EXIT_FAILURE, "the \(Asked.server)'s answer is not understood",
                hint: "\(Asked.server) and command may be of different versions. "
                    + "Run: systemctl restart \(Asked.program)")
        }
        if let error = reply.error { throw error }
        guard let result = reply.result ?? reply.event else {
            throw LineError(
                code: EXIT_FAILURE, "the \(Asked.server)'s answer is empty",
                hint: "run: systemctl restart \(Asked.program)")
        }
        return result
    }

    private static var lineEnd: UInt8 { UInt8(ascii: "\n") }

    private func readLine() throws(LineError) -> [UInt8] {
        while true {
            if let end = input.firstIndex(of: Self.lineEnd) {
                defer { input.removeSubrange(...end) }
                return Array(input[..<end])
            }
            try readSome()
        }
    }

    /// Waits for the next bytes. After the end of the wait, takes the bytes that are there.
    private func readSome() throws(LineError) {
        guard input.count < Self.longestAnswer else {
            throw LineError(
                code: EX_UNAVAILABLE, "the \(Asked.server)'s answer is too long",
                hint: "run: systemctl restart \(Asked.program)")
        }
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, boundNextRead())
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN { throw Self.hangs }
            guard count > 0 else { throw Self.gone }
            input += chunk[..<count]
            return
        }
    }

    /// Bounds the next read by the rest of the wait. Returns the flags of the read.
    private func boundNextRead() -> Int32 {
        guard let waitEnd else { return 0 }
        let left = waitEnd - SystemClock.now().uptime
        guard left > 0 else { return Int32(MSG_DONTWAIT) }
        UnixSocket.boundWaits(of: descriptor, [SO_RCVTIMEO], seconds: Int(left.rounded(.up)))
        return 0
    }

    private static var hangs: LineError {
        LineError(
            code: EX_UNAVAILABLE, "the \(Asked.server) does not answer",
            hint: "read the reason: journalctl -u \(Asked.program). "
                + "Then: systemctl restart \(Asked.program)")
    }

    private static var gone: LineError {
        LineError(
            code: EX_UNAVAILABLE, "the \(Asked.server) ended the connection",
            hint: "read the reason: journalctl -u \(Asked.program)")
    }
}
