internal import HomingBase

/// A Home Assistant that announces itself on the local network as `_home-assistant._tcp`
/// (homeassistant/components/zeroconf). Anybody there may announce anything: a person chooses.
public struct DiscoveredInstance: Equatable, Sendable {
    /// What its owner calls it, without control characters.
    public let name: String
    /// Where it says that it is reached, as `PairingAddress.base` has it.
    public let url: String
    /// Its own identity, to know one that is announced twice.
    let uuid: String?

    /// `nil` if nothing in it is an address.
    ///
    /// - Parameters:
    ///   - service: the name of the service, in place of a `location_name`.
    ///   - texts: the TXT record, `key=value` each. An instance leaves a URL empty that it lacks.
    ///   - address: an IP address, for one that tells no URL.
    public init?(service: String, texts: [String], address: String?, port: UInt16) {
        var values: [Substring: String] = [:]
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, !parts[1].isEmpty { values[parts[0]] = String(parts[1]) }
        }
        let numeric = address.map { $0.contains(":") ? "[\($0)]" : $0 }
        let candidates = [
            values["internal_url"], values["base_url"], numeric.map { "http://\($0):\(port)" },
            values["external_url"],
        ]
        let urls = candidates.lazy.compactMap { $0.flatMap(PairingAddress.base) }
        guard let url = urls.first(where: { $0.utf8.count <= Bound.address }) else { return nil }
        self.url = url
        uuid = values["uuid"]?.whole(within: Bound.name)
        let title = values["location_name"] ?? service
        name = String(title.unicodeScalars.filter { $0.properties.generalCategory != .control })
            .bounded(Bound.name)
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
