internal import Glibc

/// Writes to standard output and standard error. Nothing else does, and `scripts/check-imports` sees
/// to that: so all text is cleaned here (`SafeText`).
public enum Console {
    /// Where text goes.
    public enum Stream: Sendable {
        case output
        case error

        var descriptor: Int32 { self == .output ? STDOUT_FILENO : STDERR_FILENO }
    }

    /// Text for people, wherever it comes from.
    public static func write(_ text: String, to stream: Stream = .output) {
        put(SafeText.lines(text), stream)
    }

    /// Text for people in place of what the screen shows.
    public static func redraw(_ text: String) {
        put("\u{1B}[H\u{1B}[2J\(SafeText.lines(text))", .output)
    }

    /// JSON, whose strings may hold anything.
    public static func write(json: String) { put(SafeText.json(json) + "\n", .output) }

    /// The content of a file that we made ourselves: byte for byte, as its format has it.
    public static func writeFile(_ content: String) { put(content, .output) }

    private static func put(_ text: String, _ stream: Stream) {
        try? AtomicFile.writeAll(Array(text.utf8), to: stream.descriptor, path: "")
    }
}
