/// Detail in which locations of this machine are reported to a home (`[location] tell`).
public enum Disclosure: String, CaseIterable, Sendable {
    /// Positions, as the receiver has them.
    case exact
    /// The zone around each position, and no coordinate.
    case zone
    /// Silence: nothing is reported.
    case never
}
