internal import HomingBase

/// The zone that a person names, compared with the zones of Home Assistant.
public enum ZoneChoice: Equatable {
    /// The state that Home Assistant gives a tracker in that zone.
    case known(String)
    /// Zone that does not exist; what to do, for people.
    case unknown(hint: String)

    /// Zones that a hint lists.
    private static let listed = 8

    /// Finds it by its name in letters of either case, or by its entity id with or without `zone.`.
    public init(_ text: String, among zones: [Zone]) {
        if ["home", "not_home"].contains(text) {
            self = .known(text)
        } else if let zone = Self.find(text, zones) {
            self = .known(zone.entityID == "zone.home" ? "home" : zone.name)
        } else {
            let others = zones.filter { $0.entityID != "zone.home" }
            self = .unknown(
                hint: Self.hint(text, names: ["home", "not_home"] + others.map(\.name)))
        }
    }

    /// Finds the zone by its name in letters of either case, or by its entity id with or without `zone.`.
    public static func find(_ text: String, _ zones: [Zone]) -> Zone? {
        let small = text.lowercased()
        return zones.first { $0.name == text }
            ?? zones.first { $0.name.lowercased() == small }
            ?? zones.first { $0.entityID == small || $0.entityID == "zone.\(small)" }
    }

    /// Lists zones, and the zone that was probably meant.
    public static func hint(_ text: String, names: [String]) -> String {
        let names = names.map { SafeText.line($0) }
        let near =
            Suggestion.nearest(to: text, among: names).map { "did you mean \"\($0)\"? " } ?? ""
        let list = names.prefix(listed).map { "\"\($0)\"" }.joined(separator: ", ")
        let more = names.count > listed ? " and more, see: homing zones" : ""
        return "\(near)The zones are \(list)\(more)"
    }
}
