internal import HomingBase
public import HomingRuntime

/// One client of the control socket: requests in, answers and events out.
@LoopActor public final class ControlConnection {
    /// Bytes of one request.
    nonisolated static let maxRequest = 1 << 16

    /// The user at the other end, by the kernel's word.
    public let user: UInt32
    /// Whether the client may do everything; if not, it may ask how things are.
    public let isTrusted: Bool
    /// Called once when the client has gone.
    public var onClose: (@LoopActor () -> Void)?

    private let handler: @LoopActor (ReceivedRequest, ControlConnection) -> Void
    /// A few requests at a time: whoever floods us does not keep the loop from the others.
    private static let chunk = 1024
    private var channel: LineChannel?
    /// Seconds without a request after which the connection is ended; `nil` for never.
    private var idleLimit: Seconds?
    private var idle: Watch?
    private var endings: [@LoopActor () -> Void] = []

    /// Takes over the descriptor, which does not block.
    init(
        descriptor: Int32, user: UInt32, isTrusted: Bool, idleLimit: Seconds?,
        handler: @escaping @LoopActor (ReceivedRequest, ControlConnection) -> Void
    ) {
        self.user = user
        self.isTrusted = isTrusted
        self.idleLimit = idleLimit
        self.handler = handler
        channel = LineChannel(descriptor, lineLimit: Self.maxRequest, chunk: Self.chunk) {
            [weak self] in self?.told($0)
        }
        awaitRequest()
    }

    /// Answers a request.
    public func reply<Value: Codable & Sendable>(_ id: Int, _ value: Value) {
        channel?.send(ControlReply(id: id, result: value))
    }

    /// One event of the stream that a request asked for. Whoever listens to one is not idle.
    public func stream<Value: Codable & Sendable>(_ id: Int, _ value: Value) {
        idleLimit = nil
        idle = nil
        channel?.send(ControlReply(id: id, event: value))
    }

    /// Refuses a request.
    public func refuse(_ id: Int, _ error: ControlError) {
        channel?.send(ControlReply<Done>(id: id, error: error))
    }

    /// Has this called once when the client has gone, for whoever works for it.
    public func atEnd(_ work: @escaping @LoopActor () -> Void) { endings.append(work) }

    /// Lets so many bytes wait for a client that does not read, in place of 1 MiB.
    public func allowWaiting(_ bytes: Int) { channel?.waitingLimit = bytes }

    private func told(_ event: LineChannel.Event) {
        switch event {
        case .line(let line): take(line)
        case .overlong:
            refuse(0, ControlError(.usage, "a request is at most \(Self.maxRequest) bytes long"))
        case .ended: ended()
        }
    }

    /// Bytes alone do not count: only a whole request keeps a connection alive.
    private func awaitRequest() {
        idle = idleLimit.map { limit in
            Watch.timer(limit) { [weak self] in
                self?.close()
                return .done
            }
        }
    }

    private func take(_ line: [UInt8]) {
        awaitRequest()
        do throws(ReceivedRequest.Refusal) {
            handler(try ReceivedRequest(line), self)
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
        onClose?()
        onClose = nil
    }
}
