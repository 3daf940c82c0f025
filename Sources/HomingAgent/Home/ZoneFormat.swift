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

    /// - Parameters:
    ///   - version: as Home Assistant writes it; `nil` if it is not known.
    ///   - zones: Home Assistant's.
    init(version: String? = nil, zones: [Zone] = []) {
        let version = version.flatMap { HomeAssistantVersion($0) }
        takesInZones = version.map { $0 >= Self.firstWithInZones } ?? false
        self.zones = zones
    }

    /// The message for the zone of this name; `nil` if the text cannot be a zone's name.
    func update(_ name: String, battery: Double?) -> LocationUpdate? {
        guard takesInZones, let ids = entityIDs(of: name) else {
            return LocationUpdate(zone: name, battery: battery)
        }
        return LocationUpdate(entityIDs: ids, battery: battery)
    }

    /// Empty for `not_home`; `nil` for a name that is no zone's. A passive zone sets no state, and so
    /// counts as none. The state in `zone.home` is `home`, whatever the zone's name.
    private func entityIDs(of name: String) -> [String]? {
        switch name {
        case "not_home": []
        case "home": ["zone.home"]
        default:
            zones.first { $0.name == name && !$0.passive && $0.entityID != "zone.home" }
                .map { [$0.entityID] }
        }
    }
}
