public import HomingBase

extension Configuration {
    /// `[command.NAME]`: a program that notifications may start, by its name alone.
    public struct Command: Equatable, Sendable {
        /// The program's path, then its arguments.
        public var argv: [String] = []
        /// Seconds.
        public var timeout: Seconds = 30

        /// All defaults; it cannot be run before it has an `argv`.
        public init() {}
    }

    /// The command of that name; one that is not there is the same as all defaults.
    subscript(command name: String) -> Command {
        get { commands[name] ?? Command() }
        set { commands[name] = newValue == Command() ? nil : newValue }
    }

    /// What stands before the name.
    private static let prefix = "command."

    /// The section of that name, if it is one of these.
    static func commandSection(named name: String) -> Section? {
        guard name.hasPrefix(prefix) else { return nil }
        let own = name.dropFirst(prefix.count)
        return isCommandName(own) ? commandSection(String(own)) : nil
    }

    /// Letters, digits, `-` and `_`: what needs no quoting anywhere.
    static func isCommandName(_ name: Substring) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                default: false
                }
            }
    }

    /// The section as it is documented, and that of each name.
    static func commandSection(_ name: String = "NAME") -> Section {
        Section(
            prefix + name,
            """
            A program that may be started by its NAME: by the notification command_run with \
            data.command, where [push] commands has command_run, or as [push] hook. There may be \
            any number of such sections. It runs as the daemon's user, without a shell; nothing of \
            a notification is in its arguments.
            """,
            [
                Key(
                    "argv", \.[command: name].argv, .argumentVector,
                    """
                    The absolute path of the program, then its arguments, each as it is.
                    """),
                Key(
                    "timeout", \.[command: name].timeout,
                    .number(1...3600, unit: "seconds"),
                    "After which it is killed, with all that it started."),
            ])
    }
}

extension Kind where Value == [String] {
    /// A program's path and its arguments.
    static let argumentVector = Kind(
        "an absolute path, then arguments, separated by \";\"",
        read: { (raw) throws(Refusal) in
            let items = try raw.list()
            guard let program = items.first else { return [] }
            guard program.hasPrefix("/") else {
                throw Refusal(
                    "\(quoted(program)) is not an absolute path; it must begin with \"/\"")
            }
            return items
        }, write: names.write)
}
