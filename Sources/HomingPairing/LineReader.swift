internal import Glibc
public import HomingRuntime

/// Lines of standard input as they come, on the loop.
@LoopActor public final class LineReader {
    private let deliver: @LoopActor (String?) -> Void
    private var input: [UInt8] = []
    private var watch: Watch?

    /// - Parameter deliver: gets each line without its end, and `nil` once at the end of input.
    public init(deliver: @escaping @LoopActor (String?) -> Void) {
        self.deliver = deliver
        watch = Watch.readable(STDIN_FILENO) { [weak self] in
            self?.read() == true ? .again : .done
        }
    }

    /// Reads no more.
    public func stop() { watch = nil }

    private func read() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
        if count < 0, errno == EAGAIN || errno == EINTR { return true }
        guard count > 0 else {
            if !input.isEmpty { deliver(String(decoding: input, as: UTF8.self)) }
            deliver(nil)
            return false
        }
        input += chunk[..<count]
        while let end = input.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: input[..<end], as: UTF8.self)
            input.removeSubrange(...end)
            deliver(line)
        }
        return watch != nil
    }
}
