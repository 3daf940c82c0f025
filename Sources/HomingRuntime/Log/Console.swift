internal import CLinux
internal import Glibc

/// Writes to standard output and standard error. Nothing else does, and `scripts/check-imports` sees
/// to that: so all text is cleaned here (`SafeText`).
public enum Console {
    /// Stream to which text goes.
    public enum Stream: Sendable {
        case output
        case error

        var descriptor: Int32 { self == .output ? STDOUT_FILENO : STDERR_FILENO }
    }

    /// Reason why standard output did not take a text; `nil` while standard output took all texts.
    /// One thread of a program writes there: the thread of its command.
    public private(set) nonisolated(unsafe) static var loss: SystemError?

    /// Ends the program. Where standard output did not take a text, says so, and ends with EX_IOERR of
    /// sysexits.h in place of 0.
    public static func end(_ code: Int32, program: String) -> Never {
        guard let loss else { exit(code) }
        write("\(program): the answer could not be written: \(loss.reason)\n", to: .error)
        exit(code == EXIT_SUCCESS ? EX_IOERR : code)
    }

    /// Text for people, wherever it comes from.
    public static func write(_ text: String, to stream: Stream = .output) {
        put(SafeText.lines(text), stream)
    }

    /// Text for people in place of what the screen shows.
    public static func redraw(_ text: String) {
        put("\u{1B}[H\u{1B}[2J\(SafeText.lines(text))", .output)
    }

    /// Columns and rows of a terminal that can draw. `nil` where standard output is no terminal,
    /// where the terminal does not tell its size, and where the terminal knows no colours
    /// (`TERM=dumb`).
    public static var drawingSize: (columns: Int, rows: Int)? {
        var size = winsize()
        guard homing_terminal_size(STDOUT_FILENO, &size) == 0, size.ws_col > 0, size.ws_row > 0,
            getenv("TERM").map({ String(cString: $0) }) != "dumb"
        else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Rows of a picture, in white on black whatever colours the terminal has.
    public static func draw(_ rows: [String]) {
        let lines = rows.map { "\u{1B}[97;40m\(SafeText.line($0))\u{1B}[0m\n" }
        put(lines.joined(), .output)
    }

    /// JSON, whose strings may hold anything.
    public static func write(json: String) { put(SafeText.json(json) + "\n", .output) }

    /// The content of a file that we made ourselves: byte for byte, as its format has it.
    public static func writeFile(_ content: String) { put(content, .output) }

    private static func put(_ text: String, _ stream: Stream) {
        do throws(SystemError) {
            try AtomicFile.writeAll(Array(text.utf8), to: stream.descriptor, path: "")
        } catch {
            if stream == .output { loss = loss ?? error }
        }
    }
}
