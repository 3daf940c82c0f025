internal import HomeAssistantAPI
internal import HomingLocation

/// The field of `update_location` in which one Home Assistant takes a zone.
///
/// From 2026.6 on, Home Assistant takes `in_zones`: entity ids, of which unknown ids are ignored.
/// Earlier versions drop a message with `in_zones`, and answer 200; they take `location_name`.
/// Source: mobile_app `LOCATION_UPDATE_SCHEMA`, versions 2024.3 to 2026.11.
struct ZoneFormat: Equatable, Sendable {
    private static let firstWithInZones = HomeAssistantVersion(year: 2026, month: 6)

    private let takesInZones: Bool
    private let zones: [Zone]
    private let sendsCentre: Bool

    /// - Parameters:
    ///   - version: as Home Assistant writes it; `nil` if it is not known.
    ///   - zones: Home Assistant's.
    ///   - sendsCentre: whether the centre of a zone goes along with the zone.
    init(version: String? = nil, zones: [Zone] = [], sendsCentre: Bool = true) {
        let version = version.flatMap { HomeAssistantVersion($0) }
        takesInZones = version.map { $0 >= Self.firstWithInZones } ?? false
        self.zones = zones
        self.sendsCentre = sendsCentre
    }

    /// The message for the zone of this name; `nil` if the text cannot be a zone's name.
    func update(_ name: String, battery: Double?) -> LocationUpdate? {
        let update: LocationUpdate? =
            if takesInZones, let ids = entityIDs(of: name) {
                LocationUpdate(entityIDs: ids, battery: battery)
            } else {
                LocationUpdate(zone: name, battery: battery)
            }
        guard sendsCentre, let zone = zones.first(where: { $0.isState(name) }) else {
            return update
        }
        return update?.near(
            latitude: zone.coordinate.latitude, longitude: zone.coordinate.longitude,
            accuracy: max(1, zone.radius))
    }

    /// Empty for `not_home`; `nil` for a name that is no zone's.
    private func entityIDs(of name: String) -> [String]? {
        switch name {
        case "not_home": []
        case "home": ["zone.home"]
        default: zones.first { $0.isState(name) }.map { [$0.entityID] }
        }
    }
}
