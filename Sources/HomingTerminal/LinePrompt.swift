internal import Glibc
internal import HomingRuntime

/// Asks the person at the terminal for a line: an answer, or a secret that is not shown while it is typed.
///
/// Before any signal has its way with us, a line ends the question, and the terminal shows again what is
/// typed: ^C, ^\, ^Z and the terminal's end, or a kill from elsewhere. Hence signals wait except while we do.
public enum LinePrompt {
    private static let signals = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP]

    /// The signal that came while we waited. Only the handler sets it, and that runs nowhere but
    /// within `pselect`.
    nonisolated(unsafe) private static var caught: Int32 = 0

    /// SIG_IGN, which is no function that could be compared.
    private static let ignored = unsafeBitCast(SIG_IGN, to: Int.self)

    private enum Outcome {
        case line(String?)
        case signal(Int32)
    }

    /// The line without its end; `nil` at the end of input. After ^Z the question comes again.
    ///
    /// - Parameter farewell: a sentence for a person who ends the command at the question.
    public static func readSecret(_ prompt: String, farewell: String) -> String? {
        readLine(farewell: farewell) {
            holdingSignals { mask in readUnseen(prompt, letting: mask) }
        }
    }

    /// The same for a line that is shown.
    ///
    /// - Parameter isResult: whether the question goes to standard output, not to standard error.
    static func readAnswer(_ prompt: String, isResult: Bool, farewell: String) -> String? {
        readLine(farewell: farewell) {
            let outcome = holdingSignals { mask in
                Console.write(prompt, to: isResult ? .output : .error)
                return readLine(letting: mask)
            }
            if case .line(_?) = outcome { return outcome }
            Terminal.error("")
            return outcome
        }
    }

    private static func readLine(farewell: String, _ attempt: () -> Outcome) -> String? {
        while true {
            switch attempt() {
            case .line(let line): return line
            case .signal(let number):
                if number != SIGTSTP { Terminal.error(farewell) }
                // What the system makes of it: the end, or a stop from which we return here.
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// Asks with the signals held back, and gives them back as they were.
    private static func holdingSignals(_ ask: (sigset_t) -> Outcome) -> Outcome {
        var held = sigset_t()
        var before = sigset_t()
        sigemptyset(&held)
        for number in signals { sigaddset(&held, number) }
        sigprocmask(SIG_BLOCK, &held, &before)
        defer { sigprocmask(SIG_SETMASK, &before, nil) }
        let actions = signals.map(catchSignal)
        defer {
            for (number, var action) in zip(signals, actions) { sigaction(number, &action, nil) }
        }
        return ask(before)
    }

    /// Asks with the echo off, and switches the echo on again.
    private static func readUnseen(_ prompt: String, letting mask: sigset_t) -> Outcome {
        var settings = termios()
        tcgetattr(STDIN_FILENO, &settings)
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
            Terminal.error("")
        }
        Terminal.error(prompt, terminator: "")
        return readLine(letting: mask)
    }

    /// Has a signal noted, unless it is ignored (nohup(1)); answers what was done with it before.
    private static func catchSignal(_ number: Int32) -> sigaction {
        var before = sigaction()
        sigaction(number, nil, &before)
        let isIgnored =
            unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) == ignored
        guard !isIgnored else { return before }
        var noting = sigaction()
        noting.__sigaction_handler.sa_handler = { LinePrompt.caught = $0 }
        sigaction(number, &noting, nil)
        return before
    }

    /// Reads up to the end of the line. The terminal gives a whole line at once.
    private static func readLine(letting mask: sigset_t) -> Outcome {
        caught = 0
        var mask = mask
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            var readable = fd_set()
            readable.__fds_bits.0 = 1 << STDIN_FILENO
            if pselect(STDIN_FILENO + 1, &readable, nil, nil, nil, &mask) < 0 {
                if caught != 0 { return .signal(caught) }
                guard errno == EINTR else { return .line(nil) }
                continue
            }
            guard read(STDIN_FILENO, &byte, 1) == 1 else {
                return .line(line.isEmpty ? nil : String(decoding: line, as: UTF8.self))
            }
            if byte == UInt8(ascii: "\n") { return .line(String(decoding: line, as: UTF8.self)) }
            line.append(byte)
        }
    }
}
