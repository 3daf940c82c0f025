internal import CLinux
internal import Glibc

/// A pipe that a child writes to and the loop reads.
@LoopActor final class OutputPipe {
    /// Bytes read at a time: what a pipe holds at most.
    private static let chunk = 65_536

    /// End for the child; closed once reading begins.
    nonisolated(unsafe) private(set) var writeEnd: Int32
    nonisolated(unsafe) private var readEnd: Int32
    private var watch: Watch?
    private(set) var content: [UInt8] = []

    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError("cannot make a pipe") }
        (readEnd, writeEnd) = (ends[0], ends[1])
        // The child's end blocks as programs expect; ours must not.
        _ = fcntl(readEnd, F_SETFL, O_NONBLOCK)
    }

    deinit { closeBoth() }

    nonisolated private func closeBoth() {
        if writeEnd >= 0 { close(writeEnd) }
        if readEnd >= 0 { close(readEnd) }
        (readEnd, writeEnd) = (-1, -1)
    }

    /// Reads from now on; `grown` is called after each part.
    func read(_ grown: @escaping @LoopActor () -> Void) {
        close(writeEnd)
        writeEnd = -1
        watch = Watch.readable(readEnd) { [weak self] in
            guard let self, self.readChunk() else { return .done }
            grown()
            return .again
        }
    }

    /// Reads what is left and closes it.
    func finish() {
        watch = nil
        _ = readChunk()
        closeBoth()
    }

    /// Forgets all but the last bytes.
    func keepLast(_ count: Int) { content = content.suffix(count) }

    /// Whether there may be more to come.
    private func readChunk() -> Bool {
        var bytes = [UInt8](repeating: 0, count: Self.chunk)
        let count = Glibc.read(readEnd, &bytes, bytes.count)
        if count < 0 { return errno == EINTR || errno == EAGAIN }
        content += bytes[..<count]
        return count > 0
    }
}
