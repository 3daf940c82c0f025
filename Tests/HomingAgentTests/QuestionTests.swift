import HomeAssistantAPI
import HomingControl
import HomingJSON
import HomingLocation
import HomingRoutes
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Results into which Home Assistant's answers are made.
@Suite struct QuestionTests {
    init() { LoopThread.start() }

    private func json(_ text: String) throws -> JSONValue {
        try #require(JSONValue(json: Array(text.utf8)))
    }

    @Test("A template's value keeps its type; an error is Home Assistant's words")
    func template() throws {
        let value = try HomeHandler.rendered(json(#"{"t":{"a":[1,"x"]}}"#))
        #expect(value == .object(["a": .array([.whole(1), .string("x")])]))
        let error = try thrown(ControlError.self) {
            try HomeHandler.rendered(json(#"{"t":{"error":"UndefinedError: x"}}"#))
        }
        #expect(error?.exitCode == .refused && error?.message.contains("UndefinedError") == true)
        #expect(throws: ControlError.strangeReply) { try HomeHandler.rendered(.array([])) }
    }

    @Test("Of URLs that are keys only the host is shown")
    func configuration() throws {
        let text =
            #"{"version":"1","cloudhook_url":"https://hooks.example/key","remote_ui_url":null}"#
        let value = try HomeHandler.configuration(json(text))
        #expect(value["cloudhook_url"] == .string("hooks.example"))
        #expect(value["version"] == .string("1") && value["remote_ui_url"] == .null)
    }

    @Test("An answer of the conversation, of old and new versions")
    func say() throws {
        let new = SayResult(
            reply: try json(
                #"{"response":{"speech":{"plain":{"speech":"Done"}},"response_type":"action_done"},"#
                    + #""conversation_id":"c"}"#))
        #expect(new?.speech == "Done" && new?.conversationID == "c" && new?.errorCode == nil)
        let old = SayResult(
            reply: try json(
                #"{"response":{"speech":{},"response_type":"error","data":{"code":"no_intent_match"}},"#
                    + #""conversation_id":null}"#))
        #expect(old?.speech == "" && old?.conversationID == nil)
        #expect(old?.errorCode == "no_intent_match")
        #expect(SayResult(reply: .object([:])) == nil)
    }

    @Test("A conversation goes on for five minutes after its last word")
    @LoopActor func conversation() {
        let conversation = Conversation()
        let at = { (uptime: Seconds) in Moment(uptime: uptime, unixTime: 0) }
        #expect(conversation.id(at: at(0)) == nil)
        conversation.answered("c", at: at(100))
        #expect(conversation.id(at: at(399)) == "c" && conversation.id(at: at(400)) == nil)
        conversation.answered(nil, at: at(400))
        #expect(conversation.id(at: at(401)) == nil)
    }

    @Test("A camera's paths become addresses by the endpoint that was used")
    @LoopActor func camera() {
        var registration = HomeRig.registration("http://h:8123")
        #expect(registration.base(of: .cloudhook) == "http://h:8123")
        registration.remoteUIURL = "https://r"
        #expect(registration.base(of: .cloudhook) == "https://r")
        #expect(registration.base(of: .instance) == "http://h:8123")
        let reply = JSONValue.object(["mjpeg_path": .string("/m"), "hls_path": .null])
        #expect(CameraResult(reply: reply, base: "https://r")?.mjpegURL == "https://r/m")
        #expect(CameraResult(reply: reply, base: "https://r")?.hlsURL == nil)
        #expect(CameraResult(reply: .object(["success": .boolean(false)]), base: "") == nil)
    }

    @Test("Zones are told by their distance from the last fix, and without one by their names")
    func zones() throws {
        let place = try #require(Coordinate(latitude: 52, longitude: 4))
        let near = try #require(Coordinate(latitude: 52.001, longitude: 4))
        let zones = [("far", 60.0), ("near", 52.001)].compactMap { name, latitude in
            Coordinate(latitude: latitude, longitude: 4).map {
                Zone(
                    entityID: "zone.\(name)", name: name, coordinate: $0, radius: 200,
                    passive: false)
            }
        }
        let now = Moment(uptime: 100, unixTime: 0)
        let last = ReceiverState.LastFix(
            fix: Fix(coordinate: place, accuracy: 5, time: 0), at: Moment(uptime: 90, unixTime: 0))
        let seen = ZonesReport(zones, seenFrom: last.fix, age: last.age(at: now))
        #expect(seen.zones.map(\.name) == ["near", "far"] && seen.positionAge == 10)
        #expect(seen.zones.map(\.current) == [true, false])
        #expect(abs((seen.zones[0].distance ?? 0) - Geodesy.distance(place, near)) < 1)
        let blind = ZonesReport(zones, seenFrom: nil, age: nil)
        #expect(blind.zones.map(\.name) == ["far", "near"])
        #expect(blind.zones.allSatisfy { $0.distance == nil && !$0.current })
    }
}
