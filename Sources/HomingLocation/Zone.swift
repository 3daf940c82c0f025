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
}
