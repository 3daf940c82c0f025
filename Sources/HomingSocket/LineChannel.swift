internal import CGLib
internal import Glibc
internal import HomingJSON
public import HomingRuntime

/// End of a connection: lines of JSON in, lines of JSON out, both bounded.
@LoopActor public final class LineChannel {
    public enum Event {
        /// Line without its end.
        case line([UInt8])
        /// The other end has sent more than a line may hold; it is closed after this was told.
        case overlong
        /// End of the channel, by either side; told once, and last.
        case ended
    }

    private let descriptor: Int32
    private let lineLimit: Int
    private let chunk: Int
    private let told: @LoopActor (Event) -> Void
    private var reading: Watch?
    private var writing: Watch?
    private var input: [UInt8] = []
    private var output: [UInt8] = []
    private var waitingLimit = 1 << 20
    private var isOpen = true

    /// Takes over the descriptor, which does not block.
    ///
    /// - Parameters:
    ///   - lineLimit: bytes of a line.
    ///   - chunk: bytes that are read before others have their turn.
    public init(
        _ descriptor: Int32, lineLimit: Int, chunk: Int,
        told: @escaping @LoopActor (Event) -> Void
    ) {
        self.descriptor = descriptor
        self.lineLimit = lineLimit
        self.chunk = chunk
        self.told = told
        reading = Watch.readable(descriptor) { [weak self] in self?.read() ?? .done }
    }

    /// Lets so many bytes wait for an end that does not read, in place of 1 MiB.
    func allowWaiting(_ bytes: Int) { waitingLimit = bytes }

    /// Sends one line, now or when the other end reads.
    public func send(_ message: some Encodable) {
        guard isOpen else { return }
        // Only a number that is not finite cannot be said; nobody waits for an answer that never comes.
        guard let line = try? JSON.bytes(message) else { return close() }
        output += line + [UInt8(ascii: "\n")]
        flush()
    }

    public func close() {
        guard isOpen else { return }
        isOpen = false
        reading?.cancel()
        writing?.cancel()
        Glibc.close(descriptor)
        told(.ended)
    }

    private func read() -> Watch.Next {
        var bytes = [UInt8](repeating: 0, count: chunk)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        if count < 0 && (errno == EAGAIN || errno == EINTR) { return .again }
        guard count > 0 else {
            close()
            return .done
        }
        input += bytes[..<count]
        while isOpen, let end = input.firstIndex(of: UInt8(ascii: "\n")) {
            let line = Array(input[..<end])
            input.removeSubrange(...end)
            told(.line(line))
        }
        if isOpen, input.count > lineLimit {
            told(.overlong)
            close()
        }
        return isOpen ? .again : .done
    }

    private func flush() {
        while isOpen, !output.isEmpty {
            let count = output.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                output.removeFirst(count)
            } else if errno == EAGAIN, output.count <= waitingLimit {
                return writeLater()
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
}
