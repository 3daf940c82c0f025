/// Reads options by their table: `--option`, `--option=value`, bundled letters, values in the next
/// word, and `--`.
struct OptionParser {
    /// Result of reading the options.
    struct Found {
        var flags: Set<String> = []
        var values: [String: [String]] = [:]
        /// Words that are no options.
        var rest: [String] = []
        /// The first option that is not in the table; help and version win over it.
        var unknown: String?
    }

    let options: [OptionDefinition]
    /// Whether the first word that is no option ends the options, as before a command.
    let stopsAtFirstArgument: Bool

    func parse(_ words: [String]) throws(Misuse) -> Found {
        var (found, words) = (Found(), words[...])
        while let word = words.popFirst() {
            if word == "--" {
                found.rest += words
                break
            } else if word.hasPrefix("--") {
                try takeLong(word, &words, &found)
            } else if word.hasPrefix("-"), word.count > 1,
                stopsAtFirstArgument || !isNegativeNumber(word)
            {
                try takeLetters(word, &words, &found)
            } else if stopsAtFirstArgument {
                found.rest += [word] + words
                break
            } else {
                found.rest.append(word)
            }
        }
        return found
    }

    private func takeLong(
        _ word: String, _ words: inout ArraySlice<String>, _ found: inout Found
    ) throws(Misuse) {
        // A value may begin with an accent, which as a character would swallow the "=".
        let (name, scalars) = (word.unicodeScalars.prefix { $0 != "=" }, word.unicodeScalars)
        guard let option = options.first(where: { "--\($0.long)" == String(name) }) else {
            found.unknown = found.unknown ?? String(name)
            return
        }
        guard name.count < scalars.count else { return try readOption(option, &words, &found) }
        guard option.valueName != nil else {
            throw Misuse("option \"--\(option.long)\" takes no value")
        }
        let value = String(scalars.dropFirst(name.count + 1))
        found.values[option.long, default: []].append(value)
    }

    /// Reads a word of several letters, of which one may want a value.
    private func takeLetters(
        _ word: String, _ words: inout ArraySlice<String>, _ found: inout Found
    ) throws(Misuse) {
        var next = words.prefix(1)
        for letter in word.dropFirst() {
            if let option = options.first(where: { $0.short == letter }) {
                try readOption(option, &next, &found)
            } else {
                found.unknown = found.unknown ?? "-\(letter)"
            }
        }
        if next.isEmpty { words = words.dropFirst() }
    }

    private func readOption(
        _ option: OptionDefinition, _ words: inout ArraySlice<String>, _ found: inout Found
    ) throws(Misuse) {
        guard let name = option.valueName else {
            found.flags.insert(option.long)
            return
        }
        guard let value = words.popFirst() else {
            throw Misuse("option \"--\(option.long)\" needs a value, \(name)")
        }
        found.values[option.long, default: []].append(value)
    }

    /// Whether the word is a negative number: not `-inf` or `-nan`, which `Double` takes as well.
    private func isNegativeNumber(_ word: String) -> Bool {
        guard let digit = word.utf8.dropFirst().first else { return false }
        return ("0"..."9" ~= Character(Unicode.Scalar(digit)) || digit == 0x2E)
            && Double(word) != nil
    }
}
