internal import HomingLocation
internal import HomingMachine

/// Place where the networks show the machine to be.
struct PlaceState: Equatable, Sendable {
    var verdict = PlaceStage.Verdict.unknown
    /// Whether a network of the machine's travels with it, and so shows no place.
    var isTravelling = false
    /// The source of the location that Home Assistant was told last; `nil` before the first.
    var source: PositionSource?
}

extension PlaceStage.Verdict {
    /// The verdict for the journal, without a coordinate.
    var text: String {
        switch self {
        case .unknown: "no network is a known place"
        case .at(_, let name, let evidence): "at the place \(name), by the \(evidence.text)"
        case .away: "another network shows that this machine is away from home"
        }
    }
}

extension Place.Evidence {
    /// The word of the status in JSON.
    var key: String {
        switch self {
        case .ssid: "ssid"
        case .connection: "connection"
        case .hardware: "hardware"
        }
    }

    /// The evidence for people.
    fileprivate var text: String {
        switch self {
        case .ssid: "name of the Wi-Fi network"
        case .connection: "connection"
        case .hardware: "gateway or access point"
        }
    }
}
