/// Remembers which notifications came already, so that one that comes by the socket and again by
/// the relay is shown once.
///
/// Home Assistant gives each a `hass_confirm_id` and repeats it in what it hands to `push_url` when
/// our confirmation did not reach it; a notification without one was sent by one carrier only.
public struct Deduplicator: Equatable, Sendable {
    /// Number of remembered identities: more than Home Assistant can hand over between two
    /// confirmations.
    static let capacity = 1024

    private var ring: [String] = []
    private var known: Set<String> = []
    /// Index of the next identity once all places are taken: the index of the oldest.
    private var next = 0

    /// The oldest first; what a restart has to be given to know them still.
    public var remembered: [String] { Array(ring[next...] + ring[..<next]) }

    /// - Parameter remembered: what another one remembered, the oldest first.
    public init(remembered: [String] = []) {
        for identity in remembered { _ = isNew(identity) }
    }

    /// Bytes of an identity that is remembered: what is longer is not one of Home Assistant's.
    static let longest = 128

    /// Whether it has not come before; from now on it has. What is too long is new each time.
    public mutating func isNew(_ identity: String) -> Bool {
        guard identity.utf8.count <= Self.longest else { return true }
        guard known.insert(identity).inserted else { return false }
        if ring.count < Self.capacity {
            ring.append(identity)
        } else {
            known.remove(ring[next])
            ring[next] = identity
            next = (next + 1) % Self.capacity
        }
        return true
    }
}
