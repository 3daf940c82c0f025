internal import HomingCommandLine

/// A completion for fish.
struct FishCompletion {
    private let grammar: Grammar

    init(program: ProgramDefinition) { grammar = Grammar(program) }

    /// The whole file, ending in a line break.
    var text: String {
        """
        # Completion of \(grammar.program) for fish.
        # Made from the program's own table of options by `make documents`; changes here are lost.

        function \(function) --description 'The command that the line has so far'
            set -l words (commandline -opc)
            set -e words[1]
            set -l command ''
            while set -q words[1]
                switch "$command:$words[1]"
        \(steps.indented(by: 12))
                end
                set -e words[1]
            end
            echo "$command"
        end

        complete -c \(grammar.program) -f
        \(lines.joined(separator: "\n"))

        """
    }

    private var function: String { "__\(grammar.program)_command" }

    private var steps: [String] {
        let everywhere = grammar.options.filter { $0.value != .none }.map { "'*:\($0.long)'" }
        let own = grammar.places.flatMap { place in
            place.options.filter { $0.value != .none }.map { quoted("\(place.command):\($0.long)") }
        }
        let skipped = everywhere + own
        let skip =
            skipped.isEmpty
            ? [] : ["case \(skipped.joined(separator: " "))", "    set -e words[1]"]
        return skip
            + grammar.steps().flatMap { step in
                [
                    "case \(quoted("\(step.from.command):\(step.word)"))",
                    "    set command \(quoted(step.to))",
                ]
            }
    }

    private var lines: [String] {
        let own = grammar.places.flatMap { place in
            let condition = " -n 'test \"$(\(function))\" = \"\(place.command)\"'"
            return place.next.map { word in
                line("\(condition) -a \(word.text)", help: word.help)
            }
                + place.options.map { line("\(condition)\(arguments($0))", help: $0.help) }
                + (place.takesFiles ? [line("\(condition) -F", help: nil)] : [])
        }
        return grammar.options.map { line(arguments($0), help: $0.help) } + own
    }

    private func line(_ rest: String, help: String?) -> String {
        "complete -c \(grammar.program)\(rest)" + (help.map { " -d \(quoted($0))" } ?? "")
    }

    private func arguments(_ option: Grammar.Completable) -> String {
        let names = option.names.map { name in
            name.hasPrefix("--") ? " -l \(name.dropFirst(2))" : " -s \(name.dropFirst())"
        }.joined()
        switch option.value {
        case .none: return names
        case .file: return "\(names) -r -F"
        case .words(let words): return "\(names) -x -a \(quoted(words.joined(separator: " ")))"
        case .anything: return "\(names) -x"
        }
    }

    private func quoted(_ text: String) -> String {
        let inner = text.flatMap { $0 == "'" || $0 == "\\" ? ["\\", $0] : [$0] }
        return "'\(String(inner))'"
    }
}
