/// Wait after the whole route has failed.
///
/// - **Network** (no endpoint could be reached): a random time of up to half the outage so far, at
///   least 1 s and at most 5 min ("full jitter"). So an outage of a minute is over for us at most
///   30 s later, and one of an hour costs twelve tries an hour at the least.
/// - **Refusal** (an answer that brings no message home: a wrong key, an unknown webhook, somebody
///   else's page, a proxy without Home Assistant): that is so while it starts, so the endpoint that
///   last proved itself is asked again five times in a minute; then the route is walked, the
///   more rarely the longer it is. Whatever its length, that stays within 18 requests an hour.
/// - **Gone**: Home Assistant deleted the registration, and no endpoint is left that may still do
///   better; every 6 h, in case a backup brings it back.
public struct Backoff: Sendable {
    /// Reason why the whole route failed.
    public enum Cause: Sendable {
        /// Failure to reach any endpoint.
        case network
        /// At least one was reached, and none took the message.
        case refusal
        /// Whoever was reached refuses us by authority (401, 403); quick tries could get us banned.
        case unauthorized
        /// Home Assistant says that the registration was deleted, and every endpoint was reached.
        case gone
    }

    /// Steps without a gap longer than 25 s: who starts meanwhile is met soon after. The range
    /// is for each endpoint that a walk asks.
    private static let refusals = Pacer.Rhythm.steps([2, 6, 12, 20, 25], then: 300...400)

    private var network: Pacer
    private var refusal: Pacer
    private var authority: Pacer
    private static let goneInterval: Seconds = 6 * 3600

    public init(seed: UInt64) {
        network = Pacer(.outage(longest: 300), seed: seed)
        refusal = Pacer(Self.refusals, seed: seed &+ 1)
        authority = Pacer(.steps([], then: 600...900), seed: seed &+ 2)
    }

    /// Something was delivered, or the network changed.
    public mutating func reset() {
        network.succeeded()
        refusal.succeeded()
    }

    /// Whether the next attempt is one of the quick ones after a refusal.
    public var isQuick: Bool { refusal.isStepping }

    /// Seconds until the next attempt, after one that failed now.
    ///
    /// - Parameter asked: how many endpoints a whole walk asks
    public mutating func delay(after cause: Cause, asked: Int, at now: Moment) -> Seconds {
        // The outage is as old as the first failure of any kind.
        network.fails(at: now)
        switch cause {
        case .network:
            refusal.succeeded()
            return network.failed(at: now)
        case .refusal:
            let wait = refusal.failed(at: now)
            return refusal.isStepping ? wait : Double(asked) * wait
        case .unauthorized:
            refusal.slowDown()
            return authority.failed(at: now)
        case .gone: return Self.goneInterval
        }
    }
}
