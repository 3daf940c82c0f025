/// Home Assistant's zones, and which one it would put a position in.
public struct ZoneMap: Equatable, Sendable {
    public let zones: [Zone]

    public init(_ zones: [Zone] = []) { self.zones = zones }

    /// The zone a tracker at this place is in, as Home Assistant decides it: among the active zones
    /// whose circle comes within the accuracy, the one whose centre is nearest, and of two equally
    /// near the smaller (homeassistant/components/zone, `async_active_zone`).
    public func zone(at place: Coordinate, accuracy: Double) -> Zone? {
        let candidates = zones.lazy.filter { !$0.passive }.map { zone in
            (zone: zone, distance: Geodesy.distance(place, zone.coordinate))
        }
        return candidates.filter { $0.distance - $0.zone.radius < accuracy }
            .min { ($0.distance, $0.zone.radius) < ($1.distance, $1.zone.radius) }?.zone
    }
}
