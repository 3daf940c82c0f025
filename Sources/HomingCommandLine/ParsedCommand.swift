/// Request of a command line.
public enum Invocation: Equatable, Sendable {
    /// Do this.
    case run(ParsedCommand)
    /// Print this text (help or version, ending in a line break) on stdout and exit 0.
    case answer(String)
}

/// A command and what was given to it; everything in it is declared.
public struct ParsedCommand: Equatable, Sendable {
    /// The command's name, `config check`; empty for a program's only command.
    public let name: String
    /// The long names of the flags given.
    public let flags: Set<String>
    /// The values of each option given, by its long name, in the order of the command line.
    public let values: [String: [String]]
    /// Words that are no options, as many as the command takes.
    public let arguments: [String]

    /// Whether the flag was given.
    public func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// The option's value; the last if it was given several times.
    public func value(_ option: String) -> String? { values[option]?.last }
}

/// A command line that asks for nothing the program does: print `description` on stderr and exit
/// with `exitCode`.
public struct UsageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// EX_USAGE of sysexits.h.
    public static let exitCode: Int32 = 64

    /// Line without its end: what is wrong, what was probably meant, and where to read on.
    public let description: String

    init(program: String, _ misuse: Misuse) {
        let see = [program, misuse.command, "--help"].filter { !$0.isEmpty }.joined(separator: " ")
        let end = misuse.message.hasSuffix("?") ? "" : "."
        description = "\(program): \(misuse.message)\(end) See \"\(see)\"."
    }
}

/// Mistake on a command line, before the program's name is put to it.
struct Misuse: Error {
    /// Command whose help explains the mistake; empty for the program's help.
    var command = ""
    let message: String

    init(_ message: String, command: String = "") {
        self.message = message
        self.command = command
    }
}
