internal import CGLib

/// GLib's option parser, over declared options.
///
/// Long options, `--option=value`, bundled letters, values in the next word and `--` are GLib's
/// doing (g_option_context_parse_strv). Unknown options are left to us, since GLib reports only the
/// first of them, in the language of the locale.
struct OptionParser {
    /// What was found.
    struct Found {
        var flags: Set<String> = []
        var values: [String: [String]] = [:]
        /// What GLib left: arguments, options it does not know, and a `--` that it could not drop.
        var rest: [String] = []
    }

    let options: [OptionDefinition]
    /// Whether the first word that is no option ends the options, as before a command.
    let stopsAtFirstArgument: Bool

    func parse(_ words: [String]) throws(Misuse) -> Found {
        try checkFlagsHaveNoValue(words)
        let collector = Collector(options)
        let entries = OptionEntries(options)
        defer { entries.free() }
        let group = g_option_group_new(
            "", "", "", Unmanaged.passUnretained(collector).toOpaque(), nil)
        g_option_group_add_entries(group, entries.list)
        let context = g_option_context_new(nil)
        defer { g_option_context_free(context) }
        g_option_context_set_main_group(context, group)
        g_option_context_set_help_enabled(context, 0)
        g_option_context_set_ignore_unknown_options(context, 1)
        g_option_context_set_strict_posix(context, stopsAtFirstArgument ? 1 : 0)

        var vector = makeVector(words)
        defer { g_strfreev(vector) }
        let parsed = withExtendedLifetime(collector) {
            g_option_context_parse_strv(context, &vector, nil) != 0
        }
        guard parsed else { throw missingValue(words) }
        var found = collector.found
        found.rest = Array(strings(vector).dropFirst())
        return found
    }

    /// The words behind a program's name, which GLib skips; for g_strfreev.
    private func makeVector(
        _ words: [String]
    ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        let builder = g_strv_builder_new()
        defer { g_strv_builder_unref(builder) }
        g_strv_builder_add(builder, "")
        for word in words { g_strv_builder_add(builder, word) }
        return g_strv_builder_end(builder)
    }

    private func strings(_ vector: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> [String]
    {
        guard let vector else { return [] }
        return (0..<Int(g_strv_length(vector))).compactMap {
            vector[$0].map { String(cString: $0) }
        }
    }

    /// GLib would take `--flag=value` and drop the value without a word.
    private func checkFlagsHaveNoValue(_ words: [String]) throws(Misuse) {
        var isValue = false
        for word in words {
            if isValue {
                isValue = false
            } else if word == "--" || (stopsAtFirstArgument && !word.hasPrefix("-")) {
                return
            } else {
                isValue = takesNextWord(word)
                try checkIsNoFlagWithValue(word)
            }
        }
    }

    private func checkIsNoFlagWithValue(_ word: String) throws(Misuse) {
        guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return }
        let name = word[..<equals].dropFirst(2)
        guard options.contains(where: { $0.long == name && $0.valueName == nil }) else { return }
        throw Misuse("option \"--\(name)\" takes no value")
    }

    /// The parse fails for nothing else: our callbacks take whatever comes. A value is missing only
    /// at the very end, or where two options in one bundle of letters want one.
    private func missingValue(_ words: [String]) -> Misuse {
        let culprit =
            words.last.flatMap(optionWantingValue)
            ?? words.lazy.compactMap(optionWantingValue).first
        guard let culprit else { return Misuse("an option lacks its value") }
        return Misuse("option \"--\(culprit.long)\" needs a value, \(culprit.valueName ?? "")")
    }

    private func takesNextWord(_ word: String) -> Bool {
        !word.contains("=") && optionWantingValue(word) != nil
    }

    /// The option in this word that takes a value; of a bundle of letters the last.
    private func optionWantingValue(_ word: String) -> OptionDefinition? {
        let withValue = options.filter { $0.valueName != nil }
        if word.hasPrefix("--") { return withValue.first { "--\($0.long)" == word } }
        guard word.hasPrefix("-") else { return nil }
        let letters = word.dropFirst()
        return letters.reversed().lazy.compactMap { letter in
            withValue.first { $0.short == letter }
        }.first
    }
}
