internal import Glibc
public import HomingRuntime

/// Tells notifications to those who are logged in on terminals, by wall(1).
///
/// It gets the text on its standard input, as it takes an argument for a file if there is one of that
/// name. What would give orders to a terminal is in no `PushMessage`.
@LoopActor public final class TerminalNotifier {
    nonisolated static let program = "/usr/bin/wall"
    /// Somebody works on these terminals: a notification must not push all that from the screen.
    nonisolated static let lineLimit = 12
    nonisolated static let characterLimit = 800
    /// Seconds until it lets go of a terminal that takes nothing.
    private static let patience = 5

    private let runner = CommandRunner()

    public init() {}

    /// - Parameter completion: gets the reason if it was told to nobody. That wall may not write to a
    ///   terminal is none to wall: see `obstacle()`.
    public func writeToTerminals(
        _ message: PushMessage, completion: @escaping @LoopActor (String?) -> Void
    ) {
        // In another locale it writes letters beyond ASCII by their numbers.
        let words = ["/usr/bin/env", "LC_ALL=C.UTF-8", Self.program, "-t", "\(Self.patience)"]
        let command = Command(words, timeout: Seconds(Self.patience * 2))
        runner.run(command, input: Array(Self.text(message).utf8)) { problem in
            completion(problem.map { "wall \($0)" })
        }
    }

    /// Text of a message on the terminals.
    nonisolated static func text(_ message: PushMessage) -> String {
        let whole = message.parts.joined(separator: "\n")
        let lines = whole.split(separator: "\n", omittingEmptySubsequences: false)
        let text = String(
            lines.prefix(lineLimit).joined(separator: "\n").prefix(characterLimit))
        return text == whole ? "\(text)\n" : "\(text)…\n"
    }

    /// Returns why wall passes over the terminals of others without a word, if wall does.
    ///
    /// They can be written to by the group tty. Debian's wall once came with its rights, and does no
    /// more; and the unit's `NoNewPrivileges` would take them from it.
    public nonisolated static func obstacle() -> String? {
        var status = stat()
        guard stat(program, &status) == 0, access(program, X_OK) == 0 else {
            return "there is no \(program)"
        }
        guard geteuid() != 0, let group = getgrnam("tty")?.pointee.gr_gid else { return nil }
        let isGiven = status.st_mode & S_ISGID != 0 && status.st_gid == group && mayGainRights
        return isGiven || groups.contains(group) ? nil : "the daemon is not in the group tty"
    }

    nonisolated private static var mayGainRights: Bool {
        HostFiles().lines("/proc/self/status").contains("NoNewPrivs:\t0")
    }

    nonisolated private static var groups: [gid_t] {
        var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        let count = getgroups(Int32(groups.count), &groups)
        return [getegid()] + groups.prefix(Int(max(0, count)))
    }
}
