internal import CGLib
internal import FoundationEssentials
internal import Glibc
internal import HomingCore
public import HomingRuntime

/// One client of the control socket: lines of JSON in, lines of JSON out.
@LoopActor public final class ControlConnection {
    /// Bytes of one request.
    static let maxRequest = 1 << 16
    /// Bytes that may wait to be written to a client that does not read.
    static let maxWaiting = 1 << 20

    /// Whether the client may do everything; if not, it may ask how things are.
    public let isTrusted: Bool
    /// Called once when the client has gone.
    public var onClose: (@LoopActor () -> Void)?

    private let descriptor: Int32
    private let handler: @LoopActor (ControlRequest, ControlConnection) -> Void
    private var reading: Watch?
    private var writing: Watch?
    /// Seconds without a request after which the connection is ended; `nil` for never.
    private var idleLimit: Seconds?
    private var idle: Watch?
    private var input: [UInt8] = []
    private var output: [UInt8] = []
    private var isOpen = true
    private var endings: [@LoopActor () -> Void] = []

    /// Takes over the descriptor, which does not block.
    init(
        descriptor: Int32, isTrusted: Bool, idleLimit: Seconds?,
        handler: @escaping @LoopActor (ControlRequest, ControlConnection) -> Void
    ) {
        self.descriptor = descriptor
        self.isTrusted = isTrusted
        self.idleLimit = idleLimit
        self.handler = handler
        reading = Watch.readable(descriptor) { [weak self] in
            self?.read() ?? .done
        }
        awaitRequest()
    }

    /// Answers a request.
    public func reply<Value: Codable & Sendable>(_ id: Int, _ value: Value) {
        send(ControlReply(id: id, result: value))
    }

    /// One event of the stream that a request asked for. Whoever listens to one is not idle.
    public func stream<Value: Codable & Sendable>(_ id: Int, _ value: Value) {
        idleLimit = nil
        idle = nil
        send(ControlReply(id: id, event: value))
    }

    /// Refuses a request.
    public func refuse(_ id: Int, _ error: ControlError) {
        send(ControlReply<Done>(id: id, error: error))
    }

    /// Has this called once when the client has gone, for whoever works for it.
    public func atEnd(_ work: @escaping @LoopActor () -> Void) { endings.append(work) }

    private func send(_ message: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard isOpen else { return }
        // Only a number that is not finite cannot be said; nobody waits for an answer that never comes.
        guard let line = try? encoder.encode(message) else { return close() }
        output += Array(line) + [UInt8(ascii: "\n")]
        flush()
    }

    private func read() -> Watch.Next {
        // A few requests at a time: whoever floods us does not keep the loop from the others.
        var chunk = [UInt8](repeating: 0, count: 1024)
        let count = Glibc.read(descriptor, &chunk, chunk.count)
        if count < 0 && (errno == EAGAIN || errno == EINTR) { return .again }
        guard count > 0 else {
            close()
            return .done
        }
        input += chunk[..<count]
        while isOpen, let end = input.firstIndex(of: UInt8(ascii: "\n")) {
            let line = Array(input[..<end])
            input.removeSubrange(...end)
            take(line)
        }
        if input.count > Self.maxRequest {
            refuse(0, ControlError(.usage, "a request is at most \(Self.maxRequest) bytes long"))
            close()
        }
        return isOpen ? .again : .done
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
        do {
            handler(try JSONDecoder().decode(ControlRequest.self, from: Data(line)), self)
        } catch let error as ControlError {
            refuse(requestID(line), error)
        } catch {
            refuse(
                requestID(line), ControlError(.usage, "the request is not of the protocol's form"))
        }
    }

    /// The number of a request that is otherwise not understood.
    private func requestID(_ line: [UInt8]) -> Int {
        struct Numbered: Decodable { var id: Int }
        return (try? JSONDecoder().decode(Numbered.self, from: Data(line)))?.id ?? 0
    }

    private func flush() {
        while isOpen, !output.isEmpty {
            let count = output.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                output.removeFirst(count)
            } else if errno == EAGAIN, output.count <= Self.maxWaiting {
                writeLater()
                return
            } else if errno != EINTR {
                close()
            }
        }
    }

    private func writeLater() {
        guard writing == nil else { return }
        writing = Watch.descriptor(descriptor, G_IO_OUT) { [weak self] in
            self?.writing = nil
            self?.flush()
            return .done
        }
    }

    /// Ends the connection.
    public func close() {
        guard isOpen else { return }
        isOpen = false
        reading?.cancel()
        writing?.cancel()
        idle?.cancel()
        Glibc.close(descriptor)
        for ending in endings { ending() }
        endings = []
        onClose?()
        onClose = nil
    }
}
