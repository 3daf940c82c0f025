import HomingReports
import Testing

@testable import HomingControl

/// Text about the map at the end of setup.
@Suite struct LocationSummaryTests {
    private static func report(
        source: String? = nil, tell: String? = "exact", place: (String, String?)? = nil,
        zone: String? = nil, receivers: Int? = nil, names: [String]? = nil, mode: Int? = nil,
        accuracy: Double? = nil, age: Double = 1
    ) -> StatusReport {
        var home = StatusReport.Home(name: "home", zone: zone)
        (home.locationSource, home.locationTell) = (source, tell)
        home.knownPlace = place.map { .init(state: $0.0, name: $0.1, networkTravels: false) }
        var position = StatusReport.Position(
            gpsd: "disconnected", gpsdDetail: "Connection refused", mode: mode,
            age: mode.map { _ in age }, accuracy: accuracy)
        (position.receivers, position.receiverNames) = (receivers, names)
        return StatusReport(
            version: "1", processID: 1, uptime: 1,
            network: .init(connection: nil, connectivity: "full", metered: false),
            position: position, skipped: [:], warnings: [], homes: [home])
    }

    private static func summary(
        _ report: StatusReport
    ) throws -> LocationSummary {
        try #require(LocationSummary(report, home: "home"))
    }

    private static func map(_ report: StatusReport) throws -> String {
        let line = try summary(report).text().split(separator: "\n")[0]
        return String(line.dropFirst("On the map: ".count))
    }

    @Test("A receiver with a fix is named, and the map shows its location")
    func fix() throws {
        let report = Self.report(
            source: "gpsd", receivers: 1, names: ["/dev/ttyACM0 (u-blox)"], mode: 3, accuracy: 4.2)
        let summary = try Self.summary(report)
        #expect(
            summary.text() == """
                On the map: the location of the GPS receiver, ±5 m.
                GPS: /dev/ttyACM0 (u-blox), with a fix.
                """)
        #expect(summary.isSettled)
    }

    @Test("A fix that is not reported yet is expected, and not denied")
    func unreportedFix() throws {
        let report = Self.report(receivers: 1, names: ["/dev/ttyACM0"], mode: 3, accuracy: 4)
        let summary = try Self.summary(report)
        #expect(!summary.isSettled && summary.isExpected)
        #expect(summary.text().contains("nothing yet. The GPS receiver has a fix."))
        #expect(summary.text().hasSuffix("GPS: /dev/ttyACM0, with a fix."))
    }

    @Test("An old fix, a frozen fix and a fix of a receiver that is gone are no fix")
    func noFixAnyMore() throws {
        let old = Self.report(receivers: 1, names: ["/dev/a"], mode: 3, accuracy: 4, age: 4000)
        #expect(try !Self.summary(old).isExpected)
        #expect(try Self.summary(old).text().hasSuffix("GPS: /dev/a, no fix yet."))
        var frozen = Self.report(receivers: 1, names: ["/dev/a"], mode: 3, accuracy: 4)
        frozen.position.frozen = 90
        #expect(try !Self.summary(frozen).isExpected)
        #expect(try !Self.summary(Self.report(receivers: 0, mode: 3, accuracy: 4)).isExpected)
    }

    @Test("What is on its way is said: the way from home, and the answer of GeoClue")
    func soon() throws {
        let away = Self.report(place: ("away", nil))
        #expect(try Self.map(away).hasPrefix("nothing yet. In a few seconds the map shows that"))
        #expect(try Self.summary(away).isExpected)
        var asked = Self.report(place: ("unknown", nil))
        asked.lookUp = .init(state: "not_asked")
        #expect(
            try Self.map(asked) == "nothing yet. Homing asks GeoClue. The answer goes to the map.")
        #expect(try Self.summary(asked).isExpected)
    }

    @Test("A receiver without a fix is named, and nothing is expected soon")
    func noFix() throws {
        let report = Self.report(receivers: 1, names: ["/dev/ttyACM0"])
        let summary = try Self.summary(report)
        #expect(!summary.isSettled && !summary.isExpected)
        #expect(summary.text().contains("nothing yet. The GPS receiver has no fix. The first fix"))
        #expect(summary.text().hasSuffix("GPS: /dev/ttyACM0, no fix yet."))
    }

    @Test("A place that the network shows is named, also before it is reported")
    func places() throws {
        func map(_ source: String?, _ place: (String, String?)) throws -> String {
            try Self.map(Self.report(source: source, place: place))
        }
        #expect(try map("place", ("at", "home")) == "home, by the network.")
        #expect(try map("place", ("at", "work")) == "the place work, by the network.")
        #expect(try map("place", ("away", nil)) == "away from home, by the network.")
        #expect(try map("place", ("unknown", nil)) == "away from home, by the network.")
        let soon = Self.report(place: ("at", "home"))
        #expect(try Self.map(soon) == "nothing yet. In a few seconds the map shows home.")
        #expect(try Self.summary(soon).isExpected)
    }

    @Test("Where nothing shows the location, the command is named that helps")
    func unknown() throws {
        let summary = try Self.summary(Self.report(place: ("unknown", nil)))
        #expect(summary.text().contains("Nothing shows where this machine is."))
        #expect(summary.text().contains("type: homing network home\n"))
        let blind = summary.text(networks: .unusable)
        #expect(
            blind.contains(
                "sees no network that can be home. To see the networks, type: homing network\n"))
        #expect(!blind.contains("network home"))
        let unmanaged = summary.text(networks: .unmanaged)
        #expect(unmanaged.contains("NetworkManager does not run. A GPS receiver or GeoClue can"))
        #expect(
            summary.text().hasSuffix(
                "GPS: disconnected: Connection refused. To read how to connect a receiver, type: "
                    + "zcat -f /usr/share/doc/homing/docs/receivers.md* | more"
            ))
        #expect(!summary.isExpected)
    }

    @Test("What Home Assistant may know is said, and nothing more")
    func disclosure() throws {
        let never = Self.report(tell: "never", receivers: 0, mode: 3)
        #expect(try Self.map(never) == "nothing, because [location] tell is never.")
        #expect(try Self.summary(never).isSettled)
        func zone(_ zone: String?) throws -> String {
            try Self.map(
                Self.report(source: "gpsd", tell: "zone", zone: zone, mode: 3, accuracy: 5))
        }
        #expect(try zone("Work") == "only the zone of this machine.")
        #expect(try zone(nil) == "only the zone of this machine.")
    }

    @Test("The radius of a look-up is that of the look-up")
    func lookUp() throws {
        var report = Self.report(source: "geoclue", mode: 3, accuracy: 5)
        report.lookUp = .init(state: "found", age: 1, accuracy: 1500)
        #expect(try Self.map(report) == "a location by GeoClue, ±1500 m.")
    }

    @Test("A status without that home has no summary")
    func noHome() {
        #expect(LocationSummary(Self.report(), home: "cabin") == nil)
    }
}
