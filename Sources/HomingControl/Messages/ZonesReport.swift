public import HomingLocation

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
    }

    /// The nearest first; without a position in the order of their entity ids.
    public var zones: [Zone]
    /// Seconds since the position that distances are from; `nil` without one.
    public var positionAge: Double?
    /// Metres.
    public var accuracy: Double?
}

extension ZonesReport {
    /// Zones, the nearest to the last fix first.
    ///
    /// - Parameter age: seconds since the fix came.
    public init(_ zones: [HomingLocation.Zone], seenFrom here: Fix?, age: Double?) {
        let current = here.flatMap {
            ZoneMap(zones).zone(at: $0.coordinate, accuracy: $0.accuracy)?.entityID
        }
        let rows = zones.map { zone in
            Zone(
                entityID: zone.entityID, name: zone.name, latitude: zone.coordinate.latitude,
                longitude: zone.coordinate.longitude, radius: zone.radius, passive: zone.passive,
                distance: here.map { Geodesy.distance($0.coordinate, zone.coordinate) },
                current: zone.entityID == current)
        }
        self.init(
            zones: rows.sorted {
                ($0.distance ?? 0, $0.entityID) < ($1.distance ?? 0, $1.entityID)
            },
            positionAge: age, accuracy: here?.accuracy)
    }
}
