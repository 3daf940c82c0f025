import HomeAssistantAPI
import HomingJSON
import HomingLocation
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// The field in which each version of Home Assistant takes a zone.
@Suite struct ZoneFormatTests {
    private static func zones() throws -> [Zone] {
        let place = try #require(Coordinate(latitude: 52, longitude: 4))
        return [("home", "Our house"), ("work_2", "Work"), ("passive", "Passive")].map { id, name in
            Zone(
                entityID: "zone.\(id)", name: name, coordinate: place, radius: 100,
                passive: id == "passive")
        }
    }

    private static func sent(_ name: String, to version: String?) throws -> String? {
        try ZoneFormat(version: version, zones: zones()).update(name, battery: 50).map {
            String(decoding: $0.json(), as: UTF8.self)
        }
    }

    private static let centre = #""gps":[52,4],"gps_accuracy":100,"#

    @Test(
        "From 2026.6 on a zone is sent by its entity id, and before that by its name, with its centre",
        arguments: [
            ("home", centre + #""in_zones":["zone.home"]"#, centre + #""location_name":"home""#),
            ("Work", centre + #""in_zones":["zone.work_2"]"#, centre + #""location_name":"Work""#),
            ("not_home", #""in_zones":[]"#, #""location_name":"not_home""#),
        ])
    func versions(_ name: String, _ byID: String, _ byName: String) throws {
        for version in ["2026.6.0", "2026.6.0b3", "2026.11.0", "2027.7.1", "2031.1"] {
            #expect(try Self.sent(name, to: version) == #"{"battery":50,\#(byID)}"#, "\(version)")
        }
        for version in [nil, "2024.3.3", "2025.4.4", "2026.5.9", "dev", "2026", "2026.13"] {
            #expect(try Self.sent(name, to: version) == #"{"battery":50,\#(byName)}"#)
        }
    }

    @Test(
        "A name that is no zone's is sent as it is, and so are those of home and of a passive zone",
        arguments: ["Anywhere", "Passive", "Our house"])
    func names(_ name: String) throws {
        let sent = try Self.sent(name, to: "2026.11.0")
        #expect(sent == #"{"battery":50,"location_name":"\#(name)"}"#)
        #expect(ZoneFormat(version: "2026.11.0").update("", battery: nil) == nil)
    }
}

/// The way of version and zones to the transport.
@Suite(.serialized) struct ZoneFormatOfTransportTests {
    init() { LoopThread.start() }

    @Test("What Home Assistant said of version and zones reaches the transport, and each later one")
    @LoopActor func reaches() throws {
        let flight = try VirtualAgent()
        defer { flight.stop() }
        #expect(flight.home.zoneFormat == ZoneFormat())
        flight.drive(for: 60)
        let format = ZoneFormat(version: "2026.11.0")
        #expect(flight.home.zoneFormat == format)
        flight.home.zoneFormat = ZoneFormat()
        let home = flight.agent.home
        home.apply(home.configuration)
        #expect(flight.home.zoneFormat == format)
    }
}
