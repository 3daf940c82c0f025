internal import HomingBase

/// The nodes that an engine names in a redirection and that have no slot: guests.
///
/// A node that is to get its first slot has no slot yet, so a guest is followed. An engine could
/// name ever new guests, each of which costs connections and a login: so guests are few, and a
/// guest to which nothing led for a minute goes.
struct GuestNodes: Equatable, Sendable {
    /// Guests at a time.
    static let limit = 8
    /// Seconds after which a guest goes.
    static let stay: Seconds = 60

    /// Uptime at which something led to each guest last.
    private var seen: [EngineAddress: Seconds] = [:]

    init() {}

    /// The guests of this moment.
    var all: Set<EngineAddress> { Set(seen.keys) }

    /// Whether a guest may be followed.
    mutating func admits(_ node: EngineAddress, at now: Seconds) -> Bool {
        guard seen[node] != nil || seen.count < Self.limit else { return false }
        seen[node] = now
        return true
    }

    /// Forgets guests that have a slot now, and those whose time is over.
    mutating func review(known: some Sequence<EngineAddress>, at now: Seconds) {
        let known = Set(known)
        seen = seen.filter { !known.contains($0.key) && now - $0.value < Self.stay }
    }
}
