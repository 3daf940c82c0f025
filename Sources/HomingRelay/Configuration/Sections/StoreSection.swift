internal import HomingBase
internal import HomingSettings
internal import HomingValkey

/// Engine that holds the mailboxes.
public enum StoreEngine: String, CaseIterable, Sendable {
    /// A file of this relay's.
    case sqlite
    /// Valkey or Redis, which several relays share.
    case valkey
}

extension RelayConfiguration {
    /// `[store]`: where messages wait.
    public struct Store: Equatable, Sendable {
        public var engine = StoreEngine.sqlite
        /// An absolute path; `nil` for `mailboxes.db` in the folder of the service's state.
        public var path: String?
        /// MiB.
        public var maxSize = 1024
        public var mailboxes = 100_000
        /// Nodes of the engine: `redis://HOST:PORT`, or `rediss://` with TLS.
        public var urls: [String] = []
        public var user: String?
        /// An absolute path.
        public var passwordFile: String?
        /// An absolute path; certificates to trust beside the system's own.
        public var caFile: String?
        /// Replicas that must have a message before its 201.
        public var replicas = 0

        /// All defaults.
        public init() {}
    }

    static let storeSection = Section<RelayConfiguration>(
        "store",
        """
        Where messages wait for their machines: a file, which one relay uses, or an engine, which \
        several relays share. Messages there are encrypted.
        """,
        [
            Key(
                "engine", \.store.engine, .choice(),
                """
                sqlite (a file) or valkey (Valkey, or Redis from 7.0 on; a single node, or a \
                cluster). Relays that share an engine are one relay to machines: each needs the same \
                keys (the page relay-engine).
                """),
            Key(
                "path", \.store.path, .absolutePath,
                """
                The file. Nothing: mailboxes.db in the folder of the service's state, which is \
                /var/lib/homing-relay. The file must not be on a network file system.
                """),
            Key(
                "max_size", \.store.maxSize, .number(4...65_536, unit: "MiB"),
                """
                Size of all mailboxes together. With an engine, maxmemory of the engine's own \
                configuration counts instead. When the size is reached, Home Assistant gets the answer that the \
                relay could not store the notification.
                """),
            Key(
                "mailboxes", \.store.mailboxes, .number(1...10_000_000),
                """
                Machines that the relay keeps mailboxes for. A mailbox that is unused for 60 days \
                goes. Relays that share an engine may each go beyond by a few.
                """),
            Key(
                "url", \.store.urls, .engines,
                """
                The engine's nodes, as redis://HOST:PORT, or rediss://HOST:PORT with TLS. Of a \
                cluster, two or three are enough: these name the others.
                """),
            Key(
                "user", \.store.user, .engineUser,
                "The name by which the engine knows the relay. Nothing: the engine's default user."),
            Key(
                "password_file", \.store.passwordFile, .absolutePath,
                """
                The file with the password for the engine, which other users must not be able to \
                read. Nothing: the service's credential homing.engine_password, if there is one.
                """),
            Key(
                "ca_file", \.store.caFile, .absolutePath,
                "Certificates in PEM that the engine's may be signed by, beside those of the system."
            ),
            Key(
                "replicas", \.store.replicas, .number(1...5, zero: "the primary alone"),
                """
                Replicas of the engine that must have a message before Home Assistant gets the answer that \
                it is stored.
                """),
        ])
}

extension Kind where Value == [String] {
    private static var engineForm: String { "redis://HOST:PORT or rediss://HOST:PORT" }

    /// Nodes of an engine.
    fileprivate static let engines = list("\(engineForm), separated by \";\"") {
        (text) throws(Refusal) in
        guard EngineAddress(url: text) != nil else {
            throw Refusal("\(quoted(text)) is no address of an engine; allowed is \(engineForm)")
        }
        return text
    }
}

extension Kind where Value == String? {
    /// A name without blanks.
    fileprivate static let engineUser = Kind(optional: "a name without blanks") {
        (text) throws(Refusal) in
        guard text.utf8.count <= 128, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw Refusal("\(quoted(text)) is no name of a user; a name has no blanks")
        }
        return text
    }

    /// An absolute path of a file that need not be there, or nothing.
    static let absolutePath = Kind(optional: "the absolute path of a file") {
        (path) throws(Refusal) in
        guard path.hasPrefix("/"), !path.hasSuffix("/") else {
            throw Refusal("\(quoted(path)) is no absolute path of a file; it must begin with \"/\"")
        }
        return path
    }
}
