import HomingRuntime

@testable import HomingAgent

/// Lines that a home and its machine write to the journal.
@LoopActor final class PlayedJournal {
    private(set) var lines: [String] = []

    /// Lines that say that a warning is over.
    var endings: [String] {
        lines.filter { $0.hasPrefix("Resolved: ") || $0.hasPrefix("No longer reported: ") }
    }

    /// Writes a line.
    var writer: HomeLog.Writer { { [self] _, line, _, _ in lines.append(line) } }

    /// Makes a log that writes here.
    func makeLog(home: String? = nil) -> HomeLog { HomeLog(home: home, writeLine: writer) }
}
