internal import Glibc
internal import HomingBase
public import HomingRuntime

/// Asks for a text in a window of its own, by zenity or kdialog, for notification servers that have
/// no entry for one.
@LoopActor public final class ReplyPrompt {
    /// Outcome of the prompt.
    public enum Outcome: Equatable, Sendable {
        case text(String)
        /// The person thought better of it.
        case cancelled
        /// Absence of a display, or of both programs.
        case unavailable
    }

    /// Seconds after which nobody is there to answer.
    private static let patience = 600
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
    public func openReplyWindow(
        _ question: String, button: String?, completion: @escaping @LoopActor (Outcome) -> Void
    ) {
        guard windows.count < Self.windowLimit, let program = Self.program(question, button)
        else { return completion(.unavailable) }
        let words = DesktopProgram.attached(program, seconds: Self.patience)
        last += 1
        let number = last
        do throws(SystemError) {
            windows[number] = try ChildProcess(
                words[0], Array(words.dropFirst()), environment: ProcessEnvironment.inherited,
                timeout: Seconds(Self.patience + 5), limit: Self.limit
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
        // 1 is Cancel in both, and also GTK's word where there is no display after all.
        let isWithoutDisplay = String(decoding: result.errors, as: UTF8.self).holds("display")
        switch result.ending {
        case .exited(0):
            var text = String(decoding: result.output, as: UTF8.self)
            if text.hasSuffix("\n") { text.removeLast() }
            return .text(text)
        case .exited(1): return isWithoutDisplay ? .unavailable : .cancelled
        case .timedOut, .signalled: return .cancelled
        case .exited, .wroteTooMuch: return .unavailable
        }
    }

    /// The user's own systemd may know a display that we were not told of.
    private static func program(_ question: String, _ button: String?) -> [String]? {
        let hasDisplay = getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil
        guard hasDisplay || DesktopProgram.hasManager else { return nil }
        if let zenity = DesktopProgram.find("zenity") {
            return [zenity] + zenityWords(question, button)
        }
        return DesktopProgram.find("kdialog").map { [$0] + kdialogWords(question) }
    }

    nonisolated static func zenityWords(_ question: String, _ button: String?) -> [String] {
        let label = button.map { ["--ok-label=\(plain($0))"] } ?? []
        let title = NotificationRequest.application
        return ["--entry", "--title=\(title)", "--text=\(plain(question))"] + label
    }

    nonisolated static func kdialogWords(_ question: String) -> [String] {
        ["--title", NotificationRequest.application, "--inputbox", "\(plain(question)) "]
    }

    /// Returns a text without what is obeyed on the way to the screen: backslashes and
    /// underscores by zenity, angle brackets by Qt, and a dollar by systemd-run(1), which puts
    /// variables in its place.
    nonisolated private static func plain(_ text: String) -> String {
        String(text.unicodeScalars.filter { !"\\_<>&$".unicodeScalars.contains($0) })
    }
}
