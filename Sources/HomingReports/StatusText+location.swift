internal import HomingBase
internal import HomingControl

extension StatusText {
    /// Line about the last answer of GeoClue.
    var lookUp: String? {
        report.lookUp.map { lookUp in
            let accuracy = lookUp.accuracy.map { ", ±\(Int(max(0, min($0, 1e9)).rounded(.up))) m" }
            let age = lookUp.age.map { ", \(TimeSpan.text($0)) old" }
            let problem = lookUp.problem.map { ": \($0)" }
            return line(
                "GeoClue",
                [lookUp.state == "not_asked" ? "not asked" : lookUp.state, accuracy, age, problem]
                    .compactMap { $0 }
                    .joined())
        }
    }

    /// The location of the machine for a home, or that the location is unknown, and why.
    func knownLocation(_ home: StatusReport.Home) -> String {
        let location = location(home)
        let isKnown =
            report.position.age != nil || report.position.place != nil || report.lookUp?.age != nil
        return !location.isEmpty || isKnown || report.restricted
            ? location : line("Location", "unknown: no usable fix, and no network is a known place")
    }

    /// Returns the place that the networks show, and which locations the home gets.
    private func location(_ home: StatusReport.Home) -> String {
        let source: String? =
            switch home.locationSource {
            case "place": "by the networks"
            case "geoclue": "by GeoClue"
            default: nil
            }
        let report: String? =
            switch home.locationTell {
            case "zone":
                ["reported as the zone only", source].compactMap { $0 }.joined(separator: ", ")
            case "never": "not reported"
            default: source.map { "reported \($0)" }
            }
        let sent =
            home.locationTell == "never"
            ? nil : home.sentZone.map { "\($0), by homing send-location" }
        let lines = [
            home.knownPlace?.text.map { line("Place", $0) },
            (sent ?? report).map { line("Location", $0) },
        ]
        return lines.compactMap { $0 }.joined(separator: "\n")
    }
}

extension StatusReport.KnownPlace {
    /// The place in people's words; `nil` where there is nothing to tell.
    fileprivate var text: String? {
        let networks = networkTravels ? "a network travels with this machine" : nil
        let place: String? =
            switch (state, name, evidence) {
            case ("at", let name?, "ssid"): "\(name), by the name of the Wi-Fi network"
            case ("at", let name?, "connection"): "\(name), by the connection"
            case ("at", let name?, _): "\(name), by the gateway or the access point"
            case ("away", _, _): "away: another network"
            default: nil
            }
        let parts = [place, networks].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
