internal import CGLib

/// Takes what GLib finds.
final class Collector {
    private(set) var found = OptionParser.Found()
    /// By the name that GLib gives: `--config`, `-c`.
    private let options: [String: OptionDefinition]

    init(_ options: [OptionDefinition]) {
        var byName: [String: OptionDefinition] = [:]
        for option in options {
            byName["--\(option.long)"] = option
            if let short = option.short { byName["-\(short)"] = option }
        }
        self.options = byName
    }

    func take(_ name: String, _ value: String?) {
        guard let option = options[name] else { return }
        if option.valueName == nil {
            found.flags.insert(option.long)
        } else if let value {
            found.values[option.long, default: []].append(value)
        }
    }
}

/// The options in GLib's form. GLib copies the entries but not their names, so they live until
/// `free()`, which comes after the parse.
struct OptionEntries {
    let list: [GOptionEntry]
    private let names: [UnsafeMutablePointer<CChar>?]

    init(_ options: [OptionDefinition]) {
        let names = options.map { g_strdup($0.long) }
        var list = zip(options, names).map { option, name in
            // Values are the bytes of the command line, whatever the locale: FILENAME.
            let flags = option.valueName == nil ? G_OPTION_FLAG_NO_ARG : G_OPTION_FLAG_FILENAME
            return homing_callback_option(
                name, CChar(truncatingIfNeeded: option.short?.asciiValue ?? 0),
                Int32(flags.rawValue)
            ) { name, value, collector, _ in
                guard let name, let collector else { return 1 }
                Unmanaged<Collector>.fromOpaque(collector).takeUnretainedValue()
                    .take(String(cString: name), value.map { String(cString: $0) })
                return 1
            }
        }
        list.append(GOptionEntry())
        self.list = list
        self.names = names
    }

    func free() {
        for name in names { g_free(name) }
    }
}
