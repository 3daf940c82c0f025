internal import HomingBase

/// An option of a command: a flag, or with a value.
public struct OptionDefinition: Sendable {
    /// Name without the dashes.
    public let long: String
    /// A letter.
    public let short: Character?
    /// Placeholder of the value in the help, in capitals; `nil` makes the option a flag.
    public let valueName: String?
    /// The only values it takes; empty for any.
    public let allowed: [String]
    let suggested: @Sendable () -> [String]
    /// Sentence without a full stop.
    public let help: String

    /// `--long` or, with a short name, `-s` as well.
    ///
    /// - Parameter suggested: values that completions offer, added to the allowed values.
    public init(
        _ long: String, short: Character? = nil, value: String? = nil, allowed: [String] = [],
        suggested: @escaping @Sendable () -> [String] = { [] }, help: String
    ) {
        self.long = long
        self.short = short
        self.valueName = value
        self.allowed = allowed
        self.suggested = suggested
        self.help = help
    }

    /// `-h, --help`, which every program and command has.
    public static let help = OptionDefinition("help", short: "h", help: "Show this help")
    /// `--version`, which every program has.
    public static let version = OptionDefinition("version", help: "Show the version")
}

/// An argument of a command that is no option.
public struct ArgumentDefinition: Sendable {
    /// Number of times that the argument may be given.
    public enum Count: Sendable {
        case one
        case optional
        /// Repetition of the last argument, which must be given.
        case oneOrMore
        /// Repetition of the last argument, which need not be given.
        case any
    }

    /// Name in capitals, as the help shows it.
    public let name: String
    /// Number of times that the argument may be given.
    public let count: Count
    let suggested: @Sendable () -> [String]
    /// Sentence without a full stop.
    public let help: String

    /// An argument, given once unless `count` says otherwise.
    ///
    /// - Parameter suggested: values that completions offer.
    public init(
        _ name: String, _ count: Count = .one,
        suggested: @escaping @Sendable () -> [String] = { [] }, help: String
    ) {
        self.name = name
        self.count = count
        self.suggested = suggested
        self.help = help
    }

    /// Form in the usage line: `[FILE...]`.
    public var usage: String {
        switch count {
        case .one: name
        case .optional: "[\(name)]"
        case .oneOrMore: "\(name)..."
        case .any: "[\(name)...]"
        }
    }

    var isRequired: Bool { count == .one || count == .oneOrMore }
    var repeats: Bool { count == .oneOrMore || count == .any }
}

/// The exit codes that scripts may want to know, in the order of their numbers.
public struct ExitCodes: ExpressibleByDictionaryLiteral, Sendable {
    /// 0…255, and one sentence each without a full stop.
    public let meanings: [(number: Int32, help: String)]

    private init(_ meanings: [(number: Int32, help: String)]) {
        self.meanings = meanings.sorted { $0.number < $1.number }
    }

    /// Creates the codes from each number and its meaning.
    public init(dictionaryLiteral meanings: (Int32, String)...) {
        self.init(meanings.map { (number: $0.0, help: $0.1) })
    }

    /// The codes of both. A number of both has both meanings, and each meaning once.
    public static func + (first: ExitCodes, second: ExitCodes) -> ExitCodes {
        var all = first.meanings
        for meaning in second.meanings {
            if let index = all.firstIndex(where: { $0.number == meaning.number }) {
                guard !"; \(all[index].help); ".holds("; \(meaning.help); ") else { continue }
                all[index].help += "; \(meaning.help)"
            } else {
                all.append(meaning)
            }
        }
        return ExitCodes(all)
    }
}

/// A declared command: the one source of parsing, help, manual and completion.
public struct CommandDefinition: Sendable {
    /// Name of one word or two: `status`, `config check`. Empty for a program that is its only
    /// command.
    public internal(set) var name: String
    /// Line without a full stop, for the list of commands.
    public let summary: String
    /// Paragraphs separated by empty lines, unwrapped.
    public let discussion: String
    /// Besides those of the program.
    public let options: [OptionDefinition]
    /// Arguments in their order on the command line; those that need not be given come last.
    public let arguments: [ArgumentDefinition]
    /// Whole command lines worth showing, and what each does: one sentence without a full stop.
    public let examples: KeyValuePairs<String, String>
    /// Worth naming in the help.
    public let exitCodes: ExitCodes

    /// A command; what is left out it does not have.
    public init(
        _ name: String, summary: String, discussion: String = "",
        options: [OptionDefinition] = [], arguments: [ArgumentDefinition] = [],
        examples: KeyValuePairs<String, String> = [:], exitCodes: ExitCodes = [:]
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.options = options
        self.arguments = arguments
        self.examples = examples
        self.exitCodes = exitCodes
    }

    /// Number of arguments that the command takes.
    public var argumentCount: ClosedRange<Int> {
        let least = arguments.count(where: \.isRequired)
        let most = arguments.contains(where: \.repeats) ? Int.max : arguments.count
        return least...most
    }

    var words: [String] { name.split(separator: " ").map(String.init) }
}
