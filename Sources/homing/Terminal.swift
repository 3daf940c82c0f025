import Glibc

/// Reading from and writing to people and pipes.
enum Terminal {
    static func print(_ text: String, terminator: String = "\n") {
        write(text + terminator, to: STDOUT_FILENO)
    }

    static func error(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

    /// Whether a person reads what we print.
    static var isOutputInteractive: Bool { isatty(STDOUT_FILENO) != 0 }

    static var isErrorInteractive: Bool { isatty(STDERR_FILENO) != 0 }

    static var isInputInteractive: Bool { isatty(STDIN_FILENO) != 0 }

    static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            // The reader has gone, as `head` does: there is nobody to tell.
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
