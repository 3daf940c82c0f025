internal import Glibc
internal import HomingCore
public import HomingRuntime

/// Asks for a text in a window of its own, by zenity or kdialog, for notification servers that have
/// no entry for one.
@LoopActor public final class ReplyPrompt {
    /// What came of it.
    public enum Outcome: Equatable, Sendable {
        case text(String)
        /// The person thought better of it.
        case cancelled
        /// There is no display, or neither program.
        case unavailable
    }

    /// Seconds after which nobody is there to answer.
    private static let patience = 600.0
    /// Bytes of an answer; `ActionPolicy` bounds it further.
    private static let limit = 16 << 10
    /// Windows that may be open at a time.
    private static let windowLimit = 4

    private var windows: [Int: ChildProcess] = [:]
    private var last = 0

    public init() {}

    /// Asks.
    ///
    /// - Parameters:
    ///   - question: one line; nothing in it is obeyed.
    ///   - button: what the button says, instead of the program's word.
    public func ask(
        _ question: String, button: String?, completion: @escaping @LoopActor (Outcome) -> Void
    ) {
        guard windows.count < Self.windowLimit,
            let (path, arguments) = Self.program(question, button)
        else { return completion(.unavailable) }
        last += 1
        let number = last
        do throws(SystemError) {
            windows[number] = try ChildProcess(
                path, arguments, environment: Spawned.environment, timeout: Self.patience,
                limit: Self.limit
            ) { [weak self] result in
                self?.windows[number] = nil
                completion(Self.outcome(result))
            }
        } catch {
            completion(.unavailable)
        }
    }

    /// Closes what is open; nothing more is told.
    public func shutdown() { windows = [:] }

    nonisolated private static func outcome(_ result: ChildProcess.Result) -> Outcome {
        // 1 is Cancel in both; zenity says 255 where it has no display after all.
        switch result.ending {
        case .exited(0):
            var text = String(decoding: result.output, as: UTF8.self)
            if text.hasSuffix("\n") { text.removeLast() }
            return .text(text)
        case .exited(1), .timedOut, .signalled: return .cancelled
        case .exited, .wroteTooMuch: return .unavailable
        }
    }

    private static func program(_ question: String, _ button: String?) -> (String, [String])? {
        guard getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil else { return nil }
        // zenity obeys backslashes and underscores, Qt angle brackets.
        let question = String(question.filter { !"\\_<>&".contains($0) })
        let title = NotificationRequest.application
        if let zenity = find("zenity") {
            let label = button.map { ["--ok-label=\($0.filter { !"\\_".contains($0) })"] } ?? []
            return (zenity, ["--entry", "--title=\(title)", "--text=\(question)"] + label)
        }
        return find("kdialog").map { ($0, ["--title", title, "--inputbox", "\(question) "]) }
    }

    private static func find(_ name: String) -> String? {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/\(name)" }
            .first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
    }
}
