internal import HomingCommandLine

/// A completion for zsh: a function for each place on the command line.
struct ZshCompletion {
    private let grammar: Grammar

    init(program: ProgramDefinition) { grammar = Grammar(program) }

    /// The whole file, ending in a line break.
    var text: String {
        let functions = grammar.places.map(definition).joined(separator: "\n\n")
        return """
            #compdef \(grammar.program)
            # Completion of \(grammar.program) for zsh.
            # Made from the program's own table of options by `make documents`; changes here are lost.

            \(functions)

            \(name(of: "")) "$@"

            """
    }

    private func name(of command: String) -> String {
        "_"
            + ([grammar.program] + command.split(separator: " ").map(String.init))
            .joined(separator: "_").filter { $0 != "." }
    }

    private func definition(_ place: Grammar.Place) -> String {
        let options = (place.options + grammar.options).map(specification)
        guard !place.next.isEmpty else {
            // Without it zsh offers nothing behind an argument.
            let words = place.takesWords ? ["'*:argument: '"] : []
            let files = place.takesFiles ? ["'*:file:_files'"] : words
            return """
                \(name(of: place.command))() {
                    _arguments \\
                \((options + files).indented(by: 8, separator: " \\\n"))
                }
                """
        }
        let words = place.next.map { quoted("\(escaped($0.text)):\($0.help)") }
        let calls = place.next.map { word in
            let command = place.command.isEmpty ? word.text : "\(place.command) \(word.text)"
            return "\(word.text)) \(name(of: command)) ;;"
        }
        return """
            \(name(of: place.command))() {
                local curcontext=$curcontext state state_descr line
                typeset -A opt_args
                local -a commands=(
            \(words.indented(by: 8))
                )
                _arguments -C \\
            \((options + ["'1: :->command'", "'*:: :->rest'"]).indented(by: 8, separator: " \\\n"))
                case $state in
                command) _describe command commands ;;
                rest)
                    case $line[1] in
            \(calls.indented(by: 8))
                    esac
                    ;;
                esac
            }
            """
    }

    private func specification(_ option: Grammar.Completable) -> String {
        let help = "[\(escaped(option.help))]"
        let value =
            switch option.value {
            case .none: ""
            case .file: ":file:_files"
            case .words(let words): ":value:(\(words.joined(separator: " ")))"
            case .anything(let name): ":\(name.lowercased()): "
            }
        let equals = option.value == .none ? "" : "="
        guard option.names.count > 1 else {
            return quoted("\(option.long)\(equals)\(help)\(value)")
        }
        let exclusion = quoted("(\(option.names.joined(separator: " ")))")
        let short = option.names[0] + (option.value == .none ? "" : "+")
        return "\(exclusion){\(short),\(option.long)\(equals)}\(quoted("\(help)\(value)"))"
    }

    /// Brackets and colons have a meaning in specifications.
    private func escaped(_ text: String) -> String {
        String(text.flatMap { ":[]\\".contains($0) ? ["\\", $0] : [$0] })
    }

    private func quoted(_ text: String) -> String {
        "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
    }
}
