public import HomingBase
public import HomingRoutes

/// When a registration without a secret asks Home Assistant for one by itself: once Home Assistant
/// has answered after a start, and daily from then on.
///
/// Where Home Assistant says that it has none to give, it is not asked again until the daemon starts
/// anew or the machine is registered again.
public struct EncryptionUpgrade: Equatable, Sendable {
    /// How asking ended.
    public enum Outcome: Sendable {
        /// Nobody took the question, or what came of it is not known.
        case unanswered
        /// Home Assistant would not.
        case refused
        /// Home Assistant cannot: `encryption_not_available`.
        case notAvailable
    }

    /// Who wants the secret.
    public enum Wish: Sendable {
        /// Homing itself; no person was asked.
        case byItself
        /// A person.
        case asked
        /// A person who was told that it would travel over plain HTTP.
        case confirmed
    }

    /// The endpoints, of those in this order, that may be asked for a secret: the secret
    /// travels unsealed, so a host on the way can read it, or answer in Home Assistant's place. The
    /// name of a network proves nothing: over plain HTTP only a person may ask, after a warning.
    public static func endpoints(
        of order: [Endpoint], at place: Way.Place, for wish: Wish
    ) -> [Endpoint] {
        order.filter {
            $0.isAuthentic || (wish == .confirmed && place.isHome && $0.kind == .instance)
        }
    }

    static let day: Seconds = 86_400

    /// A question without an answer is asked again after an hour.
    private var pacer = Pacer(.doubling(first: 3600, longest: 3600))

    public init() {}

    /// Whether to ask now.
    public func isDue(at now: Moment) -> Bool { pacer.isDue(at: now) }

    /// It was asked, by whomever.
    public mutating func ended(_ outcome: Outcome, at now: Moment) {
        switch outcome {
        case .unanswered: pacer.failed(at: now)
        case .refused: pacer.pause(for: Self.day, at: now)
        case .notAvailable: pacer.pause(for: .infinity, at: now)
        }
    }
}
