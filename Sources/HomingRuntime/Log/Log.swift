internal import CSystemd
internal import Glibc
internal import Synchronization

/// Importance of a log line, in syslog's order.
public enum LogLevel: Int, Comparable, CaseIterable, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    public static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The word used in the configuration and on the command line.
    public var name: String { String(describing: self) }

    /// Reads a level's word.
    public init?(name: String) {
        guard let level = LogLevel.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }
}

/// The process's log: the journal with structured fields when systemd runs us, else stderr.
///
/// Never give it a webhook id, a token, a secret or a URL that holds one; coordinates only at
/// `debug`.
public enum Log {
    private struct State {
        var level = LogLevel.info
        var journal = false
    }

    private static let state = Mutex(State())

    /// Chooses the level, and the journal if stderr is connected to it (`JOURNAL_STREAM`).
    public static func start(level: LogLevel) {
        state.withLock {
            $0.level = level
            $0.journal = stderrIsJournal()
        }
    }

    /// Whether lines of this level are written; for lines that cost something to make.
    public static func writes(_ level: LogLevel) -> Bool { state.withLock { level <= $0.level } }

    /// Writes a line. `fields` become journal fields named in capitals, such as `ENDPOINT`.
    public static func write(
        _ level: LogLevel, _ message: String, messageID: String? = nil,
        _ fields: [(name: String, value: String)] = []
    ) {
        let (enabled, journal) = state.withLock { (level <= $0.level, $0.journal) }
        guard enabled else { return }
        // A stranger's text must not look like another line.
        let message = SafeText.line(message)
        if journal {
            writeJournal(level, message, messageID, fields)
        } else {
            Console.write("\(level.name): \(message)\n", to: .error)
        }
    }

    public static func error(_ message: String) { write(.error, message) }
    public static func warning(_ message: String) { write(.warning, message) }
    public static func notice(_ message: String) { write(.notice, message) }
    public static func info(_ message: String) { write(.info, message) }
    /// The message is only made when it is written.
    public static func debug(_ message: @autoclosure () -> String) {
        if writes(.debug) { write(.debug, message()) }
    }

    private static func writeJournal(
        _ level: LogLevel, _ message: String, _ messageID: String?,
        _ fields: [(name: String, value: String)]
    ) {
        var entries = ["MESSAGE=\(message)", "PRIORITY=\(level.rawValue)"]
        if let messageID { entries.append("MESSAGE_ID=\(messageID)") }
        entries += fields.map { "\($0.name)=\($0.value)" }
        var bytes = entries.flatMap { Array($0.utf8) }
        bytes.withUnsafeMutableBytes { bytes in
            var start = bytes.baseAddress
            let vectors = entries.map { entry in
                defer { start = start.map { $0 + entry.utf8.count } }
                return iovec(iov_base: start, iov_len: entry.utf8.count)
            }
            _ = sd_journal_sendv(vectors, Int32(vectors.count))
        }
    }

    /// systemd sets JOURNAL_STREAM to the device and inode of the stderr it connected to the
    /// journal (systemd.exec(5)); a shell that redirects stderr inherits the variable, not the inode.
    private static func stderrIsJournal() -> Bool {
        guard let value = getenv("JOURNAL_STREAM") else { return false }
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return false }
        return String(cString: value) == "\(status.st_dev):\(status.st_ino)"
    }
}
