internal import HomingBase

/// A Home Assistant that announces itself on the local network as `_home-assistant._tcp`
/// (homeassistant/components/zeroconf). Anybody there may announce anything: a person chooses.
public struct DiscoveredInstance: Equatable, Sendable {
    /// Name that the owner gave, without control characters.
    public let name: String
    /// Address that the instance tells as its own, in the form of `PairingAddress.base`.
    public let url: String
    /// Its own identity, to know one that is announced twice.
    let uuid: String?

    /// `nil` if nothing in the service is an address. An instance leaves a URL empty that it lacks. The
    /// service's name stands for a `location_name`, and its address for a URL.
    public init?(_ service: DiscoveredService) {
        var values: [Substring: String] = [:]
        for text in service.texts {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, !parts[1].isEmpty { values[parts[0]] = String(parts[1]) }
        }
        let candidates = [
            values["internal_url"], values["base_url"], service.endpoint.map { "http://\($0)" },
            values["external_url"],
        ]
        let urls = candidates.lazy.compactMap { $0.flatMap(PairingAddress.base) }
        guard let url = urls.first(where: { $0.utf8.count <= Bound.address }) else { return nil }
        self.url = url
        uuid = values["uuid"]?.whole(within: Bound.name)
        name = SafeText.line(values["location_name"] ?? service.name, limit: Bound.name)
    }

    /// Each instance once, in the order of their names: it announces itself on each interface, over
    /// IPv4 and IPv6.
    public static func distinct(_ found: [DiscoveredInstance]) -> [DiscoveredInstance] {
        var kept: [DiscoveredInstance] = []
        for instance in found {
            let isKnown = kept.contains {
                $0.url == instance.url || ($0.uuid != nil && $0.uuid == instance.uuid)
            }
            if !isKnown { kept.append(instance) }
        }
        return kept.sorted { ($0.name, $0.url) < ($1.name, $1.url) }
    }
}
