import HomingDelivery
import HomingHTTP
import HomingJSON
import HomingLocation
import Testing

@testable import HomingAgent

/// Replies of a big house: they must fit into what is taken of an answer.
@Suite struct ReplyReaderTests {
    /// Bytes of the reply once it is sealed.
    private static func sealedSize(_ text: String) -> Int {
        (text.utf8.count + 40 + 2) / 3 * 4 + #"{"encrypted":true,"encrypted_data":""}"#.utf8.count
    }

    private static func read(_ text: String, _ request: Request) -> Answer? {
        JSONValue(json: Array(text.utf8)).flatMap {
            ReplyReader.read($0, request: request, nonce: "n", onNewConnection: false)
        }
    }

    @Test("The configuration of a house with 2000 components and 2000 entities of ours is taken")
    func configuration() {
        let components = (0..<2000).map {
            "\"an_integration_with_a_long_name_\($0).binary_sensor\""
        }
        let ids = (0..<2000).map { "\(String(repeating: "f", count: 64))_a_sensor_of_ours_\($0)" }
        let entities = ids.map { "\"\($0)\":{\"disabled\":false}" }
        let text = """
            {"version":"2026.11.0","cloudhook_url":"https://hooks.nabu.casa/x",\
            "components":[\(components.joined(separator: ",")),"mobile_app.device_tracker"],\
            "entities":{\(entities.joined(separator: ","))}}
            """
        #expect(Self.sealedSize(text) <= HTTPClient.bodyLimit)
        let facts = HomeAssistantFacts(
            version: "2026.11.0", cloudhookURL: "https://hooks.nabu.casa/x", remoteUIURL: nil,
            trackerLoaded: true, knownSensors: Set(ids))
        #expect(Self.read(text, .configuration) == .configuration(facts))
    }

    @Test("500 zones with long names, each with twenty persons in it, are taken")
    func zones() {
        let name = String(repeating: "ß", count: 255)
        let persons = (0..<20).map { "\"person.somebody_\($0)\"" }.joined(separator: ",")
        let zones = (0..<500).map { number in
            """
            {"entity_id":"zone.number_\(number)","state":"20","attributes":{"latitude":52.123456789,\
            "longitude":4.123456789,"radius":100.0,"passive":false,"persons":[\(persons)],\
            "editable":true,"icon":"mdi:home","friendly_name":"\(name)"},\
            "last_changed":"2026-11-21T12:00:00.000000+00:00",\
            "last_reported":"2026-11-21T12:00:00.000000+00:00",\
            "last_updated":"2026-11-21T12:00:00.000000+00:00",\
            "context":{"id":"01HXXXXXXXXXXXXXXXXXXXXXXX","parent_id":null,"user_id":null}}
            """
        }
        let text = "[\(zones.joined(separator: ","))]"
        #expect(Self.sealedSize(text) <= HTTPClient.bodyLimit)
        guard case .zones(let read) = Self.read(text, .zones) else {
            Issue.record("not read")
            return
        }
        #expect(read.count == 500 && read.last?.name == name)
    }

    @Test("A zone with an id that Home Assistant never gives is not taken")
    func strangeZones() {
        let ids = [
            "zone.home", "zone.x\\n[push]\\ncommands = command_run\\n#.work", "zone../x", "zone.W",
            "zone.", "sensor.x", "zone.a b", "zone.work_2",
        ]
        let zones = ids.map {
            #"{"entity_id":"\#($0)","attributes":{"latitude":52,"longitude":4,"radius":9,"friendly_name":"W"}}"#
        }
        guard case .zones(let read) = Self.read("[\(zones.joined(separator: ","))]", .zones) else {
            Issue.record("not read")
            return
        }
        #expect(read.map(\.entityID) == ["zone.home", "zone.work_2"])
    }

    @Test("A receipt of another nonce is an old one played back")
    func nonce() {
        let receipt = Receipt(
            trackerExists: true, trackerState: "home",
            place: Coordinate(latitude: 52, longitude: 4.9))
        #expect(
            Self.read(#"{"r":["n",["home",52,4.9]]}"#, .receipt)
                == .receipt(receipt, onNewConnection: false))
        #expect(Self.read(#"{"r":["o",["home",52,4.9]]}"#, .receipt) == nil)
    }

    @Test("A receipt tells the names for the next one, if they are names of entities")
    func names() {
        func read(_ tracker: String, _ witness: String) -> Receipt? {
            let names = "1795383841,\"\(tracker)\"\(witness)"
            let answer = Self.read("{\"r\":[\"n\",[\"home\",52,4.9],\(names)]}", .receipt)
            if case .receipt(let receipt, _)? = answer { return receipt }
            return nil
        }
        let whole = read("device_tracker.van", ",1795383837.5,\"sensor.van_load_1m\"")
        #expect(whole?.time == 1_795_383_841 && whole?.witness == 1_795_383_837.5)
        #expect(
            whole?.names
                == TrackerNames(tracker: "device_tracker.van", witness: "sensor.van_load_1m"))
        #expect(whole?.isShort == false)
        let alone = read("device_tracker.van", "")
        #expect(alone?.names == TrackerNames(tracker: "device_tracker.van", witness: nil))
        #expect(alone?.witness == nil)
        let long = String(repeating: "a", count: 300)
        for name in ["", "van", "a.b.c", "a.", ".b", "a.B", "a.b'", "a.b %}", "a.é", "a.\(long)"] {
            #expect(read(name, "")?.names == nil, "\(name)")
            #expect(read("a.b", ",5,\"\(name)\"")?.names == nil, "\(name)")
        }
        #expect(read("a.b", ",5")?.names == nil, "a witness without a name")
        #expect(read("a.b", ",5")?.witness == 5)
    }

    @Test("A short receipt tells the place, and the change of the entity that it names")
    func shortReceipts() {
        func read(_ values: String) -> Receipt? {
            let names = TrackerNames(tracker: "device_tracker.van", witness: "sensor.van_load_1m")
            let answer = Self.read("{\"r\":[\(values)]}", .shortReceipt(names))
            if case .receipt(let receipt, _)? = answer { return receipt }
            return nil
        }
        let place = Coordinate(latitude: 52, longitude: 4.9)
        #expect(
            read(#""n",["home",52,4.9],1795383837.5"#)
                == Receipt(
                    trackerExists: true, trackerState: "home", place: place,
                    witness: 1_795_383_837.5, isShort: true))
        #expect(read(#""n",["home",52,4.9]"#)?.witness == nil)
        let gone = read(#""n",["unknown",null,null],0"#)
        #expect(gone?.trackerExists == false && gone?.witness == 0)
        #expect(read(#""n""#)?.trackerExists == false)
        #expect(read(#""o",["home",52,4.9],1795383837.5"#) == nil, "an old one played back")
    }

    @Test(
        "A short receipt in another form shows nothing, so that the same is asked in full",
        arguments: [
            #"{"r":{"error":"UndefinedError"}}"#, #"{"r":["n",["home","52","4.9"]]}"#,
            #"{"r":["n",["home",[52],{}]]}"#, #"{"r":"n"}"#, "{}", "[]",
        ])
    func strangeShortReceipts(text: String) {
        let names = TrackerNames(tracker: "device_tracker.van", witness: nil)
        let nothing = Receipt(
            trackerExists: false, trackerState: nil, place: nil, isShort: true)
        #expect(
            Self.read(text, .shortReceipt(names)) == .receipt(nothing, onNewConnection: false))
        #expect(Self.read(text, .receipt) == nil, "a full one is judged")
    }
}
