public import HomingRoutes

/// Endpoint by which a secret may come, for a registration that has none.
public enum EncryptionUpgrade {
    /// Author of the wish for the secret.
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
        of order: [Endpoint], at place: Route.Place, for wish: Wish
    ) -> [Endpoint] {
        order.filter {
            $0.isAuthentic || (wish == .confirmed && place.isHome && $0.kind == .instance)
        }
    }
}
