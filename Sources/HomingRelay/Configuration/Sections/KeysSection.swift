internal import HomingSettings

extension RelayConfiguration {
    /// `[keys]`: where the relay's keys are.
    public struct Keys: Equatable, Sendable {
        /// An absolute path; `nil` for systemd's credential, else `relay.keys` with the state.
        public var file: String?

        /// All defaults.
        public init() {}
    }

    static let keysSection = Section<RelayConfiguration>(
        "keys",
        """
        The keys by which the relay knows the tokens that it gave. Without them every machine has to \
        join again: keep a copy.
        """,
        [
            Key(
                "file", \.keys.file, .absolutePath,
                """
                The file with the keys, which other users must not be able to read. Nothing: \
                systemd's credential homing.relay_keys where the service has one, else relay.keys in \
                the folder of the service's state.
                """)
        ])
}
