extension Configuration {
    /// A declared section: the one source of parsing, checking, `agent.conf.example` and manual.
    public struct Section: Sendable {
        /// What stands between the brackets.
        public let name: String
        /// What it is about, in sentences, unwrapped.
        public let documentation: String
        /// In the order in which they are documented.
        public let keys: [Key]

        init(_ name: String, _ documentation: String, _ keys: [Key]) {
            self.name = name
            self.documentation = documentation
            self.keys = keys
        }

        /// The section's key of that name.
        public func key(named name: String) -> Key? { keys.first { $0.name == name } }
    }

    /// The declared section of that name.
    static func section(named name: String) -> Section? {
        commandSection(named: name) ?? sections.first { $0.name == name }
    }

    /// A declared key: its name, what it takes, and which value of the configuration it is.
    public struct Key: Sendable {
        /// What stands before the `=`.
        public let name: String
        /// What values it takes, in words: `10 to 86400 (seconds)`.
        public let allowed: String
        /// What it does, in sentences, unwrapped.
        public let documentation: String
        let read: @Sendable (RawValue, inout Configuration) throws(Refusal) -> Void
        private let write: @Sendable (Configuration) -> String

        init<Value: Sendable>(
            _ name: String, _ path: any WritableKeyPath<Configuration, Value> & Sendable,
            _ kind: Kind<Value>, _ documentation: String
        ) {
            self.name = name
            self.documentation = documentation
            allowed = kind.allowed
            read = { (raw, configuration) throws(Refusal) in
                configuration[keyPath: path] = try kind.read(raw)
            }
            write = { kind.write($0[keyPath: path]) }
        }

        /// The value in that configuration as one would write it in the file; empty for none.
        public func text(in configuration: Configuration) -> String { write(configuration) }

        /// The default as one would write it in the file; empty for none.
        public var defaultText: String { write(Configuration()) }
    }
}
