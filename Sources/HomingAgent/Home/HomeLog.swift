internal import HomingRuntime

/// Writes lines about one owner to the journal. A home's lines have the field `HOMING_HOME`, and
/// begin with the home's name where there are several homes.
@LoopActor final class HomeLog {
    private let home: String?
    private var isOneOfSeveral = false
    private var reader: (@LoopActor (String) -> Void)?

    /// - Parameter home: the home's name; `nil` for the machine.
    init(home: String? = nil) { self.home = home }

    /// Begins lines with the home's name from now on, or no longer.
    func nameHome(_ isOneOfSeveral: Bool) { self.isOneOfSeveral = isOneOfSeveral }

    /// Gives each line, without the home's name, also to a reader, such as a test.
    func copyLines(to reader: @escaping @LoopActor (String) -> Void) { self.reader = reader }

    func write(
        _ level: LogLevel, _ message: String, messageID: String? = nil,
        _ fields: [(name: String, value: String)] = []
    ) {
        reader?(message)
        guard let home else { return Log.write(level, message, messageID: messageID, fields) }
        Log.write(
            level, isOneOfSeveral ? "\(home): \(message)" : message, messageID: messageID,
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
