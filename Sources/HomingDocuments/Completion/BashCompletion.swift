internal import HomingCommandLine

/// A completion for bash, which needs no other package.
struct BashCompletion {
    private let grammar: Grammar

    init(program: ProgramDefinition) { grammar = Grammar(program) }

    /// The whole file, ending in a line break.
    var text: String {
        """
        # Completion of \(grammar.program) for bash.
        # Made from the program's own table of options by `make documents`; changes here are lost.

        \(function)() {
            local command= index words= options=
            local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
            # bash makes --option=value three words.
            if [[ $word == = ]]; then
                word=
            elif [[ $before == = ]]; then
                before=${COMP_WORDS[COMP_CWORD - 2]}
            fi
            COMPREPLY=()
            for ((index = 1; index < COMP_CWORD; index++)); do
                case $command:${COMP_WORDS[index]} in
        \(steps.indented(by: 12))
                esac
            done
            case $command:$before in
        \(values.indented(by: 8))
            esac
            case $command in
        \(places.indented(by: 8))
            esac
            if [[ $word == -* || -z $words ]]; then
                words=$options
            fi
            mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
        }

        complete -F \(function) \(grammar.program)

        """
    }

    private var function: String { "_\(grammar.program)" }

    private var steps: [String] {
        let skipping = grammar.places.flatMap { place in
            place.options.filter { $0.value != .none }
                .map { "'\(place.command)':\($0.long)" }
        }
        let everywhere = grammar.options.filter { $0.value != .none }.map { "*:\($0.long)" }
        let skipped = everywhere + skipping
        let skip = skipped.isEmpty ? [] : ["\(skipped.joined(separator: " | "))) ((index++)) ;;"]
        return skip
            + grammar.steps().map { step in
                "'\(step.from.command)':\(step.word)) command='\(step.to)' ;;"
            }
    }

    private var values: [String] {
        let own = grammar.places.flatMap { place in
            place.options.flatMap { cases("'\(place.command)'", $0) }
        }
        return grammar.options.flatMap { cases("*", $0) } + own
    }

    private func cases(_ command: String, _ option: Grammar.Completable) -> [String] {
        let pattern = option.names.map { "\(command):\($0)" }.joined(separator: " | ")
        switch option.value {
        case .none: return []
        case .file:
            return [
                "\(pattern))", "    compopt -o filenames",
                #"    mapfile -t COMPREPLY < <(compgen -f -- "$word")"#, "    return", "    ;;",
            ]
        case .words(let words):
            return [
                "\(pattern))",
                "    mapfile -t COMPREPLY < <(compgen -W '\(words.joined(separator: " "))' -- \"$word\")",
                "    return", "    ;;",
            ]
        case .anything: return ["\(pattern)) return ;;"]
        }
    }

    private var places: [String] {
        grammar.places.flatMap { place in
            let options = (place.options + grammar.options).flatMap(\.names)
            let words = place.next.map(\.text).joined(separator: " ")
            return [
                "'\(place.command)')", "    words='\(words)'",
                "    options='\(options.joined(separator: " "))'", "    ;;",
            ]
        }
    }
}

extension [String] {
    /// As lines with so many blanks before each.
    func indented(by blanks: Int, separator: String = "\n") -> String {
        map { String(repeating: " ", count: blanks) + $0 }.joined(separator: separator)
    }
}
