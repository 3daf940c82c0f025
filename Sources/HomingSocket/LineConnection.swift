internal import Glibc
public import HomingRuntime

/// Client of a program's socket: requests in, answers and events out.
@LoopActor public final class LineConnection {
    /// Bytes of one request.
    nonisolated static let maxRequest = 1 << 16
    /// A few requests at a time: whoever floods us does not keep the loop from the others.
    private static let chunk = 1024

    /// The user at the other end, by the kernel's word.
    public let user: UInt32
    /// Whether the client may do everything; if not, it may ask what everybody may.
    public let isTrusted: Bool

    private let take: @LoopActor ([UInt8], LineConnection) throws(RequestRefusal) -> Void
    private var channel: LineChannel?
    /// Seconds without a request after which the connection is ended; `nil` for never.
    private var idleLimit: Seconds?
    private var idle: Watch?
    private var endings: [@LoopActor () -> Void] = []

    /// Takes over the descriptor, which does not block.
    ///
    /// - Parameter take: is given each line; throws if it is no request.
    init(
        descriptor: Int32, user: UInt32, isTrusted: Bool, idleLimit: Seconds?,
        take: @escaping @LoopActor ([UInt8], LineConnection) throws(RequestRefusal) -> Void
    ) {
        self.user = user
        self.isTrusted = isTrusted
        self.idleLimit = idleLimit
        self.take = take
        channel = LineChannel(descriptor, lineLimit: Self.maxRequest, chunk: Self.chunk) {
            [weak self] in self?.handleLineEvent($0)
        }
        awaitRequest()
    }

    fileprivate func send(_ reply: LineReply<some Codable & Sendable>) { channel?.send(reply) }

    /// Whoever listens to a stream is not idle.
    fileprivate func allowIdleness() {
        idleLimit = nil
        idle = nil
    }

    /// Refuses a request.
    func refuse(_ id: Int, _ error: LineError) { send(LineReply<Done>(id: id, error: error)) }

    /// Has this called once when the client has gone, for whoever works for it.
    public func atEnd(_ work: @escaping @LoopActor () -> Void) { endings.append(work) }

    /// Lets so many bytes wait for a client that does not read, in place of 1 MiB.
    public func allowWaiting(_ bytes: Int) { channel?.allowWaiting(bytes) }

    private func handleLineEvent(_ event: LineChannel.Event) {
        switch event {
        case .line(let line): heard(line)
        case .overlong:
            let message = "a request is at most \(Self.maxRequest) bytes long"
            refuse(0, LineError(code: EX_USAGE, message))
        case .ended: ended()
        }
    }

    /// Bytes alone do not count: only a whole request keeps a connection alive.
    private func awaitRequest() {
        idle = idleLimit.map { Watch.once(after: $0) { [weak self] in self?.close() } }
    }

    private func heard(_ line: [UInt8]) {
        awaitRequest()
        do throws(RequestRefusal) {
            try take(line, self)
        } catch {
            refuse(error.id, error.error)
            // Answers cost more than lines: a stranger gets one for text that is no request.
            if !isTrusted, error.id == 0 { close() }
        }
    }

    /// Ends the connection.
    public func close() { channel?.close() }

    private func ended() {
        idle?.cancel()
        for ending in endings { ending() }
        endings = []
    }
}

/// A request that waits for its answer.
@LoopActor public struct OpenRequest {
    public let connection: LineConnection
    let id: Int

    public func reply(_ value: some Codable & Sendable) {
        connection.send(LineReply(id: id, result: value))
    }

    /// Sends an event of the stream that was asked for.
    public func stream(_ value: some Codable & Sendable) {
        connection.allowIdleness()
        connection.send(LineReply(id: id, event: value))
    }

    public func refuse(_ error: LineError) { connection.refuse(id, error) }

    public func answer(_ result: Result<some Codable & Sendable, LineError>) {
        do throws(LineError) { reply(try result.get()) } catch { refuse(error) }
    }

    /// Answers with what the work returns or throws.
    public func answer<Value: Codable & Sendable>(_ work: () throws(LineError) -> Value) {
        do throws(LineError) { reply(try work()) } catch { refuse(error) }
    }

    /// Answers when the work is done; others are served meanwhile.
    public func answerLater<Value: Codable & Sendable>(
        _ work: @escaping @LoopActor () async throws(LineError) -> Value
    ) {
        spawn {
            do throws(LineError) { reply(try await work()) } catch { refuse(error) }
        }
    }
}
