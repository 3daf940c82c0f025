internal import HomingBase
internal import HomingCommandLine

/// A program as the shells' completions see it: which words may stand where.
struct Grammar {
    /// A place on the command line behind the words that lead to it.
    struct Place: Equatable {
        /// The command so far: empty, `status`, `config`, `config check`.
        let command: String
        /// Words that may follow and lead to another place, with their descriptions.
        var next: [Word] = []
        /// Options of this place alone, besides the program's.
        var options: [Completable] = []
        /// Whether files may follow.
        var takesFiles = false
        /// Whether words may follow that no table knows.
        var takesWords = false
    }

    struct Word: Equatable {
        let text: String
        let help: String
    }

    /// An option and what its value is completed with.
    struct Completable: Equatable {
        enum Value: Equatable {
            case none
            case file
            case words([String])
            case anything(String)
        }

        /// `--help` and, if there is one, `-h`.
        let names: [String]
        let help: String
        let value: Value

        init(_ option: OptionDefinition) {
            names = (option.short.map { ["-\($0)"] } ?? []) + ["--\(option.long)"]
            help = option.help
            value =
                switch option.valueName {
                case nil: .none
                case _ where !option.allowed.isEmpty: .words(option.allowed)
                case "FILE": .file
                case let name?: .anything(name)
                }
        }

        var long: String { names.last ?? "" }
    }

    let program: String
    /// Options that may stand everywhere.
    let options: [Completable]
    /// The first is the beginning of the command line.
    let places: [Place]

    init(_ definition: ProgramDefinition) {
        program = definition.name
        options = definition.options.map(Completable.init)
        if let only = definition.onlyCommand {
            places = [Self.place("", of: only)]
            return
        }
        places =
            [Self.start(definition.commands)]
            + Self.withFamilies(
                definition.commands.map { Self.place($0.name, of: $0) }, definition.commands)
    }

    /// Every first word once; one that only leads to others is described by them.
    private static func start(_ commands: [CommandDefinition]) -> Place {
        var place = Place(command: "")
        for command in commands {
            guard let first = command.words.first, !place.next.contains(where: { $0.text == first })
            else { continue }
            let seconds = commands.filter { $0.words.count == 2 && $0.words[0] == first }
            let isCommand = command.words.count == 1
            let help =
                seconds.isEmpty || isCommand
                ? command.summary : listed(seconds.map { $0.words[1] }, "or")
            place.next.append(Word(text: first, help: help))
        }
        return place
    }

    /// The places of commands, and those of first words that lead to several; a word may be both.
    private static func withFamilies(
        _ commandPlaces: [Place], _ commands: [CommandDefinition]
    ) -> [Place] {
        var (families, places): ([Place], [Place]) = ([], commandPlaces)
        for command in commands where command.words.count == 2 {
            let first = command.words[0]
            let word = Word(text: command.words[1], help: command.summary)
            if let index = places.firstIndex(where: { $0.command == first }) {
                places[index].next.append(word)
            } else if let index = families.firstIndex(where: { $0.command == first }) {
                families[index].next.append(word)
            } else {
                families.append(Place(command: first, next: [word]))
            }
        }
        return families + places
    }

    private static func place(_ name: String, of command: CommandDefinition) -> Place {
        Place(
            command: name, options: command.options.map(Completable.init),
            takesFiles: command.arguments.contains { $0.name == "FILE" },
            takesWords: command.arguments.contains { $0.name != "FILE" })
    }

    /// The words that a command is made of lead from place to place.
    func steps() -> [(from: Place, word: String, to: String)] {
        places.flatMap { place in
            place.next.map { word in
                (
                    place, word.text,
                    place.command.isEmpty ? word.text : "\(place.command) \(word.text)"
                )
            }
        }
    }
}
