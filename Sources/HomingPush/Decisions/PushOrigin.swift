public import HomingBase

/// Carrier by which a notification or a command arrived.
public enum PushOrigin: Equatable, Sendable {
    /// The channel that this machine keeps open, or a trusted program of this machine.
    case direct
    /// The relay's socket, by which anybody who has the token can send. `age` is the seconds from its
    /// arrival at the relay until now.
    case relay(age: Seconds)

    /// Seconds since the notification was sent, as far as that is known.
    public var age: Seconds? {
        if case .relay(let age) = self { age } else { nil }
    }
}
