/// The result of `zones`: Home Assistant's zones, seen from here.
public struct ZonesReport: Codable, Equatable, Sendable {
    public struct Zone: Codable, Equatable, Sendable {
        public var entityID: String
        public var name: String
        public var latitude: Double
        public var longitude: Double
        /// Metres.
        public var radius: Double
        /// A passive zone sets no state.
        public var passive: Bool
        /// Metres from here to its centre; `nil` while it is not known where here is.
        public var distance: Double?
        /// Whether Home Assistant would say that this machine is in it.
        public var current: Bool

        public init(
            entityID: String, name: String, latitude: Double, longitude: Double, radius: Double,
            passive: Bool, distance: Double?, current: Bool
        ) {
            self.entityID = entityID
            self.name = name
            self.latitude = latitude
            self.longitude = longitude
            self.radius = radius
            self.passive = passive
            self.distance = distance
            self.current = current
        }
    }

    /// The nearest first; without a position in the order of their entity ids.
    public var zones: [Zone]
    /// Seconds since the position that distances are from; `nil` without one.
    public var positionAge: Double?
    /// Metres.
    public var accuracy: Double?

    public init(zones: [Zone], positionAge: Double?, accuracy: Double?) {
        self.zones = zones
        self.positionAge = positionAge
        self.accuracy = accuracy
    }
}
