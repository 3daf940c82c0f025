import HomeAssistantAPI
import HomingJSON
import HomingRuntime
import Testing

/// A sealer whose seal can be read: what matters here is what is sealed, and what is not.
private struct PlainSealer: Sealer {
    func appendSealed(_ plaintext: [UInt8], to body: inout [UInt8]) {
        body += Base64.text(of: plaintext).utf8
    }
    func sealedSize(_ count: Int) -> Int { 4 * (count / 3 + 1) }
    func open(_ sealed: String) -> [UInt8]? { Base64.bytes(of: sealed) }
}

@Suite struct EnvelopeTests {
    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static var requests: [WebhookRequest] {
        let update = LocationUpdate(latitude: 59.3293, longitude: 18.0686, accuracy: 5)
        let position = TrackEvent.Position(
            sequence: 7, time: 1_800_000_000.04, latitude: 59.1, longitude: 18.2, accuracy: 5.26,
            altitude: nil, speed: 1.5, course: nil, source: nil)
        return [
            .getConfig, .getZones, .fireEvent(type: "a \"b\"", data: "{\"k\":1}"),
            .track(TrackEvent(deviceID: "d", outboxID: "o", positions: [position])),
            .receipt(nonce: "n0", deviceID: "d0"),
        ] + (update.map { [.updateLocation($0)] } ?? [])
    }

    @Test("A sealed message is the type, the flag and the seal, and nothing else")
    func sealedShape() throws {
        struct Sealed: Decodable {
            var type: String
            var encrypted: Bool
            var encrypted_data: String
        }
        let envelope = WebhookEnvelope(sealer: PlainSealer())
        for request in Self.requests {
            let body = try envelope.body(for: request)
            let sealed = try JSON.decode(Sealed.self, from: body)
            #expect(sealed.type == request.type)
            #expect(sealed.encrypted)
            let keys = try JSON.decode([String: Ignored].self, from: body).keys
            #expect(keys.sorted() == ["encrypted", "encrypted_data", "type"])
            #expect(PlainSealer().open(sealed.encrypted_data)?.first == UInt8(ascii: "{"))
        }
    }

    private struct Ignored: Decodable { init(from decoder: any Decoder) throws {} }

    @Test("Without a secret the data travels as it is")
    func plainShape() throws {
        let body = try WebhookEnvelope(sealer: nil).body(for: .getConfig)
        #expect(Self.text(body) == "{\"type\":\"get_config\",\"data\":{}}")
    }

    @Test("Events keep their data to the letter, and quote their type")
    func events() throws {
        let body = try WebhookEnvelope(sealer: nil).body(
            for: .fireEvent(type: "a \"b\"", data: "{\"k\":1.0}"))
        #expect(
            Self.text(body)
                == "{\"type\":\"fire_event\",\"data\":{\"event_type\":\"a \\\"b\\\"\",\"event_data\":{\"k\":1.0}}}"
        )
    }

    @Test("A damaged row's numbers, however large, keep no other row from being told")
    func trackOfAbsurdNumbers() throws {
        let absurd = TrackEvent.Position(
            sequence: 1, time: 1.7e308, latitude: 1, longitude: 2, accuracy: 1.7e308,
            altitude: -1.7e308, speed: nil, course: 123.456, source: nil)
        let track = TrackEvent(deviceID: "d", outboxID: "o", positions: [absurd])
        let body = try WebhookEnvelope(sealer: nil).body(for: .track(track))
        #expect(Self.text(body).contains("[[1,1.7e+308,1,2,1.7e+308,-1.7e+308,null,123.5]]"))
    }

    @Test("A row ends before what it does not have, and names the source that is no receiver")
    func trackRows() throws {
        let place = { (source: String?) in
            TrackEvent.Position(
                sequence: 1, time: 2, latitude: 3, longitude: 4, accuracy: 5, altitude: nil,
                speed: nil, course: nil, source: source)
        }
        let zone = TrackEvent.Position(sequence: 1, time: 2, zone: "home")
        let track = TrackEvent(
            deviceID: "d", outboxID: "o", positions: [place(nil), place("geoclue"), zone])
        let text = Self.text(try WebhookEnvelope(sealer: nil).body(for: .track(track)))
        #expect(
            text.contains(
                #""positions":[[1,2,3,4,5,null,null,null],"#
                    + #"[1,2,3,4,5,null,null,null,null,"geoclue"],"#
                    + #"[1,2,null,null,null,null,null,null,"home"]]"#))
    }

    @Test("200 positions of the longest kind stay below the 32 kB that the recorder keeps")
    func trackSize() throws {
        let longest = TrackEvent.Position(
            sequence: 9_999_999_999, time: 9_999_999_999.9, latitude: -89.123456789012,
            longitude: -179.12345678901, accuracy: 9999.9, altitude: -99999.9, speed: 9999.9,
            course: 359.9, source: "geoclue")
        let track = TrackEvent(
            deviceID: String(repeating: "f", count: 32),
            outboxID: String(repeating: "f", count: 32),
            positions: Array(repeating: longest, count: 200))
        let body = try WebhookEnvelope(sealer: nil).body(for: .track(track))
        #expect(body.count < 32_000)
    }

    @Test(
        "Replies are sorted by what they can prove",
        arguments: [
            ("", WebhookReply.empty), ("{}", .emptyObject),
            ("{\"success\":false}", .plainObject(.object(["success": .boolean(false)]))),
            ("<html>", .other), ("[]", .other), ("{\"a\":", .other), ("null", .other),
            ("{\"encrypted\":true,\"encrypted_data\":\"!\"}", .other),
            ("{\"encrypted\":false,\"encrypted_data\":\"e30=\"}", .other),
            ("{\"encrypted\":true,\"encrypted_data\":\"e30=\"}", .opened(.object([:]))),
            // "<h"
            ("{\"encrypted\":true,\"encrypted_data\":\"PGg=\"}", .unreadable),
        ])
    func replies(body: String, expected: WebhookReply) {
        let envelope = WebhookEnvelope(sealer: PlainSealer())
        #expect(envelope.contents(of: Array(body.utf8)) == expected)
    }

    @Test("A registration that seals takes no reply in the clear")
    func noPlainReplies() {
        let reply = Array("{\"r\":[\"n0\"]}".utf8)
        let value = JSONValue.object(["r": .array([.string("n0")])])
        #expect(WebhookEnvelope(sealer: PlainSealer()).contents(of: reply) == .plainObject(value))
        #expect(WebhookEnvelope(sealer: nil).contents(of: reply) == .opened(value))
    }

    @Test("A zone without a circle spoils no other")
    func zones() throws {
        let json = """
            [{"entity_id":"zone.odd","attributes":{"restored":true}},
            {"entity_id":"zone.home","attributes":{"latitude":1,"longitude":2,"radius":100}}]
            """
        let zones = try JSON.decode([ZoneReply].self, from: json.utf8)
        #expect(zones.map { $0.attributes?.radius } == [nil, 100])
    }

    @Test("A receipt costs few bytes, and a device's id cannot end the string it stands in")
    func receiptTemplate() throws {
        func template(of request: WebhookRequest) throws -> String {
            let body = try WebhookEnvelope(sealer: nil).body(for: request)
            let sent = try JSON.decode(SentReceipt.self, from: body)
            return sent.data.r.template
        }
        func full(_ deviceID: String) throws -> String {
            try template(of: .receipt(nonce: "0123456789abcdef", deviceID: deviceID))
        }
        let usual = try full(String(repeating: "f", count: 32))
        #expect(usual.utf8.count <= 490, "\(usual.utf8.count) bytes")
        #expect(usual.hasPrefix("['0123456789abcdef'{%"))
        #expect(try full("a'b\\c").contains("and'a\\'b\\\\c'in "))
        let short = try template(
            of: .shortReceipt(nonce: "0123456789a", tracker: "device_tracker.bench", witness: nil))
        #expect(
            short == "['0123456789a'{%set e='device_tracker.bench'%},"
                + "{{[states(e),state_attr(e,'latitude'),state_attr(e,'longitude')]}}]")
        let witnessed = try template(
            of: .shortReceipt(
                nonce: "0123456789a", tracker: "device_tracker.bench", witness: "sensor.x'y"))
        #expect(
            witnessed == short.dropLast()
                + ",{{as_timestamp(states['sensor.x\\'y'].last_changed,0)}}]")
    }

    @Test("A receipt is read with and without a tracker and a place")
    func receipts() throws {
        func read(_ json: String) throws -> ReceiptReply {
            try JSON.decode(ReceiptReply.self, from: json.utf8)
        }
        let full = try read("{\"r\":[\"n\",[\"home\",59.3,18]]}")
        #expect(full.trackerState == "home" && full.latitude == 59.3 && full.longitude == 18)
        let unknown = try read("{\"r\":[\"n\",[\"unknown\",null,null]]}")
        #expect(unknown.trackerState == "unknown" && unknown.latitude == nil)
        #expect(try read("{\"r\":[\"n\"]}").trackerState == nil)
        let rest = "1795383841.008185,\"device_tracker.van\""
        let witnessed = try read(
            "{\"r\":[\"n\",[\"home\",59.3,18],\(rest),1795383837.81808,\"sensor.van_kernel\"]}")
        #expect(witnessed.witness == 1_795_383_837.81808 && full.witness == nil)
        #expect(witnessed.time == 1_795_383_841.008185 && witnessed.tracker == "device_tracker.van")
        #expect(witnessed.witnessID == "sensor.van_kernel")
        let alone = try read("{\"r\":[\"n\",[\"home\",59.3,18],\(rest)]}")
        #expect(
            alone.witness == nil && alone.witnessID == nil && alone.tracker == witnessed.tracker)
        let odd = try read("{\"r\":[\"n\",[\"home\",59.3,18],\"\",\"device_tracker.van\"]}")
        #expect(odd.time == nil && odd.tracker == nil && odd.trackerState == "home")
        #expect(throws: (any Error).self) { try read("{\"r\":[\"n\",\"home\",59.3,18]}") }
        #expect(throws: (any Error).self) { try read("{\"r\":{\"error\":\"TemplateError\"}}") }
    }
}

/// The message that asks for a receipt.
private struct SentReceipt: Decodable {
    struct Content: Decodable { var r: Template }
    struct Template: Decodable { var template: String }
    var data: Content
}
