import Glibc
import HomingRuntime
import Testing

/// Text that reaches standard output.
@Suite(.serialized) struct ConsoleTests {
    /// Returns the text that the body writes to a descriptor.
    private func written(to descriptor: Int32, _ body: () -> Void) -> String {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return "no pipe" }
        let before = dup(descriptor)
        dup2(ends[1], descriptor)
        close(ends[1])
        body()
        dup2(before, descriptor)
        close(before)
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = read(ends[0], &bytes, bytes.count)
        close(ends[0])
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }

    /// Demands that nothing else is written. The test runner and other tests write to the same
    /// descriptors now and then: what is wrong is wrong each time.
    private func expect(_ text: String, on descriptor: Int32, _ body: () -> Void) {
        for _ in 0..<10 where written(to: descriptor, body) == text { return }
        #expect(written(to: descriptor, body) == text)
    }

    private static let evil = "a\u{1B}]0;x\u{7}\n\u{9B}2J\u{202E}b\n"

    @Test("Text for people gives no orders, on either stream and in the log")
    func people() {
        let safe = "a\u{FFFD}]0;x\u{FFFD}\n\u{FFFD}2J\u{FFFD}b\n"
        expect(safe, on: STDOUT_FILENO) { Console.write(Self.evil) }
        expect(safe, on: STDERR_FILENO) { Console.write(Self.evil, to: .error) }
        // A stranger's text must not look like another line of the log.
        let line = "a\u{FFFD}]0;x\u{FFFD}\u{FFFD}\u{FFFD}2J\u{FFFD}b\u{FFFD}"
        expect("error: \(line)\n", on: STDERR_FILENO) { Log.error(Self.evil) }
        expect("\u{1B}[H\u{1B}[2J\(safe)", on: STDOUT_FILENO) { Console.redraw(Self.evil) }
    }

    @Test("A file's content is as it is; JSON has the same meaning")
    func programs() {
        expect(Self.evil, on: STDOUT_FILENO) { Console.writeFile(Self.evil) }
        expect("[\"\\u009b\"]\n", on: STDOUT_FILENO) { Console.write(json: "[\"\u{9B}\"]") }
    }
}
