/// How long to wait after the whole way has failed.
///
/// - **Network** (no endpoint could be reached): a random time of up to half the outage so far, at
///   least 1 s and at most 5 min ("full jitter"). So an outage of a minute is over for us at most
///   30 s later, and one of an hour costs twelve tries an hour at the least.
/// - **Refusal** (an answer that brings no message home: a wrong key, an unknown webhook, somebody
///   else's page, a proxy without Home Assistant): that is so while it starts, so the endpoint that
///   last proved itself is asked again five times in a minute; then the way is walked, the
///   more rarely the longer it is. Whatever its length, that stays within 18 requests an hour.
/// - **Gone**: Home Assistant deleted the registration, and no endpoint is left that may still do
///   better; every 6 h, in case a backup brings it back.
public struct Backoff: Sendable {
    /// Why the whole way failed.
    public enum Cause: Sendable {
        /// No endpoint could be reached.
        case network
        /// At least one was reached, and none took the message.
        case refusal
        /// Whoever was reached refuses us by authority (401, 403); quick tries could get us banned.
        case unauthorized
        /// Home Assistant says that the registration was deleted, and every endpoint was reached.
        case gone
    }

    static let networkCap: Seconds = 300
    /// No gap is longer than 25 s: who starts meanwhile is met soon after.
    static let quickRefusals: [Seconds] = [2, 6, 12, 20, 25]
    /// For each endpoint that a walk asks.
    static let refusalRange: ClosedRange<Seconds> = 300...400
    static let authorityRange: ClosedRange<Seconds> = 600...900
    static let goneInterval: Seconds = 6 * 3600

    private var refusals = 0
    /// Uptime of the first failure since the last delivery on this network.
    private var failingSince: Seconds?
    private var random: SeededRandom

    public init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// Something was delivered, or the network changed.
    public mutating func reset() {
        refusals = 0
        failingSince = nil
    }

    /// Whether the next attempt is one of the quick ones after a refusal.
    public var isQuick: Bool { (1...Self.quickRefusals.count).contains(refusals) }

    /// Seconds until the next attempt, after one that failed at this uptime.
    ///
    /// - Parameter asked: how many endpoints a whole walk asks
    public mutating func delay(
        after cause: Cause, asked: Int, at uptime: Seconds
    ) -> Seconds {
        let since = failingSince ?? uptime
        failingSince = since
        switch cause {
        case .network:
            refusals = 0
            let cap = min(Self.networkCap, max(1, (uptime - since) / 2))
            return Seconds.random(in: 0...cap, using: &random)
        case .refusal:
            defer { refusals += 1 }
            if refusals < Self.quickRefusals.count { return Self.quickRefusals[refusals] }
            return Double(asked) * Seconds.random(in: Self.refusalRange, using: &random)
        case .unauthorized:
            refusals = Self.quickRefusals.count + 1
            return Seconds.random(in: Self.authorityRange, using: &random)
        case .gone:
            return Self.goneInterval
        }
    }
}
