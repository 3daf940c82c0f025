internal import HomingRuntime

/// Writes lines about one owner to the journal. A home's lines have the field `HOMING_HOME`, and
/// begin with the home's name where there are several homes.
@LoopActor final class HomeLog {
    /// Writes a line with its level, its message ID and its fields.
    typealias Writer =
        @LoopActor (LogLevel, String, String?, [(name: String, value: String)]) -> Void

    private let home: String?
    private var isOneOfSeveral = false
    private let writeLine: Writer

    /// - Parameters:
    ///   - home: the home's name; `nil` for the machine.
    ///   - writeLine: writes to the journal.
    init(home: String? = nil, writeLine: @escaping Writer) {
        (self.home, self.writeLine) = (home, writeLine)
    }

    /// Begins lines with the home's name from now on, or no longer.
    func nameHome(_ isOneOfSeveral: Bool) { self.isOneOfSeveral = isOneOfSeveral }

    func write(
        _ level: LogLevel, _ message: String, messageID: String? = nil,
        _ fields: [(name: String, value: String)] = []
    ) {
        guard let home else { return writeLine(level, message, messageID, fields) }
        writeLine(
            level, isOneOfSeveral ? "\(home): \(message)" : message, messageID,
            fields + [("HOMING_HOME", home)])
    }

    func error(_ message: String) { write(.error, message) }
    func warning(_ message: String) { write(.warning, message) }
    func notice(_ message: String) { write(.notice, message) }
    func info(_ message: String) { write(.info, message) }
    /// The message is only made when it is written.
    func debug(_ message: @autoclosure () -> String) {
        if Log.writes(.debug) { write(.debug, message()) }
    }
}
