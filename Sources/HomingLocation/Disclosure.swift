/// What a Home Assistant is told of where this machine is (`[location] tell`).
public enum Disclosure: String, CaseIterable, Sendable {
    /// Positions, as the receiver has them.
    case exact
    /// The zone around each position, and no coordinate.
    case zone
    /// Nothing.
    case never
}
