internal import HomingRelayProtocol

/// Decides what a relay does with the ring in the shared engine.
enum RingDecision {
    /// The engine's ring is newer: use it from now on.
    case adopt(TokenRing)
    /// The engine has no ring, or an older one: put one's own there.
    case publish
    /// Both are the same.
    case keep
    /// Both have one version, and different keys: each was made of a former ring without the other.
    case rival
    /// The engine's ring was sealed by a relay with other keys.
    case foreign

    /// - Parameters:
    ///   - own: the newest ring that this relay has seen.
    ///   - sealed: what lies in the engine.
    init(own: TokenRing, sealed: [UInt8]?) {
        guard let sealed else {
            self = .publish
            return
        }
        guard let other = own.opened(sealed) else {
            self = .foreign
            return
        }
        if other.version == own.version {
            self = other.isSame(as: own) ? .keep : .rival
        } else {
            self = other.version > own.version ? .adopt(other) : .publish
        }
    }
}
