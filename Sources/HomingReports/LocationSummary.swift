public import HomingControl

/// Summary of this machine on Home Assistant's map at the end of `homing setup`. The summary also
/// tells what the map does not show yet.
public struct LocationSummary {
    /// Networks of this machine, as far as a network can show that the machine is at home.
    public enum Networks: Sendable {
        /// Lack of NetworkManager, without which no network is known.
        case unmanaged
        /// Lack of a network with a gateway or an access point that is known.
        case unusable
        /// Networks that can be home, or of which the daemon says nothing.
        case usable
    }

    private let position: StatusReport.Position
    private let home: StatusReport.Home
    private let lookUp: StatusReport.LookUp?

    /// `nil` if the status has no such home.
    public init?(_ report: StatusReport, home name: String) {
        guard let home = report.homes.first(where: { $0.name == name }) else { return nil }
        (position, lookUp, self.home) = (report.position, report.lookUp, home)
    }

    /// Whether a location was reported, or none may be reported.
    public var isSettled: Bool { home.locationSource != nil || isNever }
    /// Whether a location is on its way.
    public var isExpected: Bool {
        hasFix || home.knownPlace?.state == "at"
            || !hasReceiver && (isAway || lookUp?.state == "not_asked")
    }

    /// Returns a line for the map, and a line for the receiver.
    public func text(networks: Networks = .usable) -> String { "\(map(networks))\n\(receiver)" }

    private var isNever: Bool { home.locationTell == "never" }
    private var isAway: Bool { home.knownPlace?.state == "away" }
    /// Whether the receiver has a fix: the newest is no older than two looks at a receiver that is paused.
    private var hasFix: Bool {
        hasReceiver && position.mode != nil && position.frozen == nil
            && position.age.map { $0 < 300 } ?? false
    }

    private func map(_ networks: Networks) -> String {
        if isNever { return "On the map: nothing, because [location] tell is never." }
        return switch home.locationSource {
        case "place": "On the map: \(place ?? "away from home"), by the network."
        case .some where home.locationTell == "zone": "On the map: only the zone of this machine."
        case "geoclue": "On the map: a location by GeoClue\(radius(lookUp?.accuracy))."
        case .some:
            "On the map: the location of the GPS receiver\(radius(position.accuracy))."
        case nil: "On the map: nothing yet. \(reason(networks))"
        }
    }

    /// The known place where the machine is.
    private var place: String? {
        guard home.knownPlace?.state == "at", let name = home.knownPlace?.name else { return nil }
        return name == "home" ? name : "the place \(name)"
    }

    private func radius(_ accuracy: Double?) -> String {
        accuracy.map { ", ±\(Int(max(0, min($0, 1e9)).rounded(.up))) m" } ?? ""
    }

    /// Reason why no location was reported yet, with what to do.
    private func reason(_ networks: Networks) -> String {
        if hasFix { return "The GPS receiver has a fix. To see its reports, type: homing status" }
        if let place { return "In a few seconds the map shows \(place)." }
        if hasReceiver {
            return
                "The GPS receiver has no fix. The first fix takes up to 15 minutes under open sky."
        }
        if isAway { return "In a few seconds the map shows that this machine is away from home." }
        if lookUp?.state == "not_asked" {
            return "Homing asks GeoClue. The answer goes to the map."
        }
        let advice =
            switch networks {
            case .unmanaged:
                "Only NetworkManager tells Homing about networks, and NetworkManager does not run. A GPS "
                    + "receiver or GeoClue can show the location. To report a zone by hand, type: homing "
                    + "send-location --zone home"
            case .unusable:
                "Homing sees no network that can be home. To see the networks, type: homing network"
            case .usable: "If this network is home, type: homing network home"
            }
        return "Nothing shows where this machine is. \(advice)"
    }

    private var hasReceiver: Bool { (position.receivers ?? 0) > 0 || position.receiverNames != nil }

    private var receiver: String {
        guard hasReceiver else {
            let detail = position.gpsdDetail.map { ": \($0)" } ?? ""
            return
                "GPS: \(position.gpsd)\(detail). To read how to connect a receiver, type: zcat -f /usr/share/doc/homing/docs/receivers.md* | more"
        }
        let names = position.receiverNames?.joined(separator: ", ") ?? "a receiver"
        return "GPS: \(names), \(hasFix ? "with a fix" : "no fix yet")."
    }
}
