public import HomingBase

/// Believes a network after a short quiet, because a roam can blink and a lost access point shows
/// itself in steps.
public struct NetworkSettler: Sendable {
    public enum Effect: Equatable, Sendable {
        /// This is the network now.
        case believe(NetworkState)
        /// Call `timer(at:)` at this uptime.
        case wake(at: Seconds)
    }

    /// Seconds of quiet. Measured with NetworkManager 1.42: when one of two access points of a
    /// network dies, the SSID is gone for 0.2 s; a new connection settles in steps below 2 s.
    static let quiet: Seconds = 2.5

    public private(set) var believed: NetworkState?
    private var pending: (state: NetworkState, at: Seconds)?

    public init() {}

    /// NetworkManager said something. The first word is believed at once.
    public mutating func heard(_ state: NetworkState, at now: Moment) -> [Effect] {
        if believed == nil {
            believed = state
            return [.believe(state)]
        }
        if state == believed {
            // What was heard was no blink if its quiet is over and nobody came to say so: the
            // machine slept meanwhile.
            let wasAnother = pending.map { now.uptime >= $0.at } ?? false
            pending = nil
            return wasAnother ? [.believe(state)] : []
        }
        let at = now.uptime + Self.quiet
        pending = (state, at)
        return [.wake(at: at)]
    }

    /// The time of a `wake` has come, or passed.
    public mutating func timer(at now: Moment) -> [Effect] {
        guard let pending else { return [] }
        if now.uptime < pending.at { return [.wake(at: pending.at)] }
        return believe()
    }

    /// A request failed: what was heard last is believed without waiting any longer.
    public mutating func requestFailed() -> [Effect] { believe() }

    private mutating func believe() -> [Effect] {
        guard let pending else { return [] }
        self.pending = nil
        believed = pending.state
        return [.believe(pending.state)]
    }
}
