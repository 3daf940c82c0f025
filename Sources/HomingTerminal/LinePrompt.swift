internal import Glibc
internal import HomingRuntime

/// Asks the person at the terminal for a line: an answer, or a secret that is not shown while it is typed.
///
/// A signal waits while the input is not waited for: ^C, ^\, ^Z, the terminal's end, or a kill from elsewhere.
/// When the signal acts, the terminal shows again what is typed, and the cursor is on a new line.
public enum LinePrompt {
    private static let signals = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP]

    /// Signal that came during the wait. The handler sets the signal on the thread that asks, within
    /// `pselect`.
    nonisolated(unsafe) private static var caught: Int32 = 0
    /// The thread that asks.
    nonisolated(unsafe) private static var asking = pthread_self()

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
        askUntilLine(farewell: farewell) {
            holdingSignals { mask in readUnseen(prompt, letting: mask) }
        }
    }

    /// The same for a line that is shown.
    ///
    /// - Parameter isResult: whether question and farewell go to standard output, not to standard error.
    static func readAnswer(_ prompt: String, isResult: Bool, farewell: String) -> String? {
        let stream: Console.Stream = isResult ? .output : .error
        return askUntilLine(farewell: farewell, to: stream) {
            let outcome = holdingSignals { mask in
                Console.write(prompt, to: stream)
                return readLineOrSignal(letting: mask)
            }
            if case .line(_?) = outcome { return outcome }
            Console.write("\n", to: stream)
            return outcome
        }
    }

    private static func askUntilLine(
        farewell: String, to stream: Console.Stream = .error, _ attempt: () -> Outcome
    ) -> String? {
        while true {
            switch attempt() {
            case .line(let line): return line
            case .signal(let number):
                if number != SIGTSTP { Console.write("\(farewell)\n", to: stream) }
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
        pthread_sigmask(SIG_BLOCK, &held, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        (caught, asking) = (0, pthread_self())
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
        return readLineOrSignal(letting: mask)
    }

    /// Has a signal noted, unless it is ignored (nohup(1)); answers what was done with it before.
    private static func catchSignal(_ number: Int32) -> sigaction {
        var before = sigaction()
        sigaction(number, nil, &before)
        let isIgnored =
            unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) == ignored
        guard !isIgnored else { return before }
        var noting = sigaction()
        noting.__sigaction_handler.sa_handler = { number in
            // Another thread, as of D-Bus, holds no signals back.
            if pthread_equal(pthread_self(), LinePrompt.asking) == 0 {
                pthread_kill(LinePrompt.asking, number)
            } else {
                LinePrompt.caught = number
            }
        }
        sigaction(number, &noting, nil)
        return before
    }

    /// Reads up to the end of the line. The terminal gives a whole line at once.
    private static func readLineOrSignal(letting mask: sigset_t) -> Outcome {
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
