internal import HomingBase
public import HomingRuntime
internal import HomingSettings

extension RelayConfiguration {
    /// `[join]`: which devices get a token.
    public struct Join: Equatable, Sendable {
        public var mode = JoinMode.code
        /// Default life of an invitation, in seconds.
        public var codeLife: Seconds = 86_400
        /// The relay's name for people.
        public var name: String?

        /// All defaults.
        public init() {}
    }

    static let joinSection = Section<RelayConfiguration>(
        "join", "The machines that may join. Machines that have joined stay joined.",
        [
            Key(
                "mode", \.join.mode, .choice(),
                """
                Who may join: open (whoever reaches the relay), code (who has the code of an \
                invitation, which "homing-relay invite" makes) or closed (nobody).
                """),
            Key(
                "code_life", \.join.codeLife, .number(60...2_592_000, unit: "seconds"),
                "The default life of an invitation, as \"homing-relay invite\" makes it."),
            Key(
                "name", \.join.name, .relayName,
                "The relay's name, which machines show. Nothing: the relay's address."),
        ])
}

extension Kind where Value == String? {
    /// A name for people.
    fileprivate static let relayName = Kind(optional: "a name of at most 64 characters") {
        (text) throws(Refusal) in
        guard text.count <= 64 else { throw Refusal("is longer than 64 characters") }
        return text
    }
}
