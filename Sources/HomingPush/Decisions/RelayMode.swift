/// The times at which the relay is connected (`[push] relay`).
public enum RelayMode: String, CaseIterable, Sendable {
    /// Choice of `RelayAttention`: held where the channel fails, else looked at.
    case auto
    /// Held always.
    case hold
    /// Looked at now and then, never held.
    case look
    case off
}
