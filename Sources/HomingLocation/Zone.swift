internal import HomingBase

/// A zone of Home Assistant: a circle with a name.
public struct Zone: Equatable, Sendable {
    /// The entity id, `zone.home` for home.
    public let entityID: String
    /// The name people gave it.
    public let name: String
    public let coordinate: Coordinate
    /// Metres.
    public let radius: Double
    /// A passive zone sets no state.
    public let passive: Bool

    public init(
        entityID: String, name: String, coordinate: Coordinate, radius: Double, passive: Bool
    ) {
        self.entityID = entityID
        self.name = name
        self.coordinate = coordinate
        self.radius = radius
        self.passive = passive
    }

    /// Whether Home Assistant gives a zone such an id: `zone.` and small letters, digits and `_`.
    public static func isEntityID(_ text: String) -> Bool {
        text.hasPrefix("zone.")
            && text.dropFirst("zone.".count)
                .isMade(of: ASCII.smallLetters + ASCII.digits + "_", 1...255)
    }

    /// The state of a tracker in the zone: `home` in `zone.home`, whatever that zone's name.
    public var state: String { entityID == "zone.home" ? "home" : name }

    /// Whether a tracker has this state because it is in the zone. A passive zone sets no state.
    public func isState(_ state: String) -> Bool {
        !(passive && entityID != "zone.home") && self.state == state
    }
}
