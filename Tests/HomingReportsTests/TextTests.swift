import HomeAssistantAPI
import HomingJSON
import HomingLocation
import HomingReports
import Testing

@testable import HomingControl

/// Texts that people read.
@Suite struct TextTests {
    private func zone(
        _ name: String, _ distance: Double?, current: Bool = false, passive: Bool = false
    ) -> ZonesReport.Zone {
        ZonesReport.Zone(
            entityID: "zone.\(name.lowercased())", name: name, latitude: 1, longitude: 2,
            radius: 100, passive: passive, distance: distance, current: current)
    }

    @Test("Zones are a table, and a sentence says which one we are in")
    func zones() {
        let report = ZonesReport(
            zones: [zone("Home", 12, current: true), zone("Far", 123_456, passive: true)],
            positionAge: 3, accuracy: 7.6)
        #expect(
            report.text == """
                   NAME  DISTANCE  RADIUS  ENTITY
                *  Home  12 m      100 m   zone.home
                   Far   123 km    100 m   zone.far (passive)

                This machine is in Home, by a location of 3 s ago (±8 m).
                """)
    }

    @Test("Without a position no distance is made up")
    func noPosition() {
        let report = ZonesReport(zones: [zone("Home", nil)], positionAge: nil, accuracy: nil)
        let text = report.text
        #expect(text.contains("–") && text.contains("distances are not known"))
        #expect(!text.contains(" 0 m"))
        let none = ZonesReport(zones: [], positionAge: nil, accuracy: nil)
        #expect(none.text == "Home Assistant has no zones.")
    }

    @Test("A zone's name gives no orders to the terminal")
    func orders() {
        let report = ZonesReport(
            zones: [zone("a\u{1B}[2J\nb", 1500)], positionAge: 1, accuracy: 1)
        let text = report.text
        #expect(!text.contains("\u{1B}") && text.contains("1.5 km"))
        #expect(text.split(separator: "\n").count == 3)
    }

    @Test("A track's summary names points, times, distance and gaps")
    func track() throws {
        let place = try #require(Coordinate(latitude: 52, longitude: 4))
        let there = try #require(Coordinate(latitude: 52.01, longitude: 4))
        let points = [
            Fix(coordinate: place, accuracy: 5, time: 0),
            Fix(coordinate: there, accuracy: 5, time: 60),
            Fix(coordinate: place, accuracy: 5, time: 7260),
        ]
        let report = TrackReport(Track.segments(of: points))
        #expect(report.points == 3 && report.gaps == 1 && report.gapDuration == 7200)
        #expect(abs(report.distance - 1112) < 5 && report.duration == 7260)
        #expect(
            report.text == """
                Points    3
                From      1970-01-01T00:00:00Z
                To        1970-01-01T02:01:00Z
                Duration  2 h 1 min
                Distance  1.1 km
                Gaps      1 (2 h 0 min in all)
                """)
        let empty = TrackReport([])
        #expect(empty.text.contains("no locations"))
        #expect(empty.points == 0 && empty.duration == 0 && empty.start == nil)
    }

    @Test("The summary of a track counts points and gaps, and leaves the gaps out of the distance")
    func summary() throws {
        let points = try [0, 100, 5000, 5100].map { time in
            // A metre to the north each second.
            let coordinate = Coordinate(latitude: 52 + time / 111_195, longitude: 4)
            return Fix(coordinate: try #require(coordinate), accuracy: 5, time: time)
        }
        let report = TrackReport(Track.segments(of: points))
        #expect(report.points == 4 && report.gaps == 1)
        #expect(abs(report.distance - 200) < 1)
        #expect(report.gapDuration == 4900 && report.duration == 5100)
    }

    @Test("A registration and Home Assistant's own words are told line by line")
    func lines() {
        let registration = Registration(
            instanceURL: "http://h:8123", cloudhookURL: "https://hooks/secret", remoteUIURL: nil,
            webhookID: "hidden", secret: nil, deviceID: "d", deviceName: "Van",
            homeNetworks: [.init(ssid: "HomeNet")],
            authorization: .init(kind: .longLived, token: "hidden"))
        let report = RegistrationReport(registration)
        let text = report.text
        #expect(text.contains("Van") && text.contains("HomeNet") && text.contains("NOT encrypted"))
        #expect(text.contains("cloudhook"))
        for shown in [text, ReportJSON.text(report)] {
            #expect(!shown.contains("hidden") && !shown.contains("secret"))
        }
        let reply = JSONValue(
            json: Array(
                #"{"version":"2026.11.0","components":["a","b"],"entities":{"x":{"disabled":true}}}"#
                    .utf8))
        let told = HomeAssistantText(reply ?? .null).text
        #expect(told.contains("2026.11.0") && told.contains("2 loaded"))
        #expect(told.contains("1, 1 of them disabled") && !told.contains("Cloudhook"))
    }
}
