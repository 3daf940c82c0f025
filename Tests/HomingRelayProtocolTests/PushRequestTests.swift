import HomingBase
import HomingTestKit
import Testing

@testable import HomingRelayProtocol

@Suite struct PushRequestTests {
    private func request(_ body: String) throws -> PushRequest {
        try PushRequest(body: Array(body.utf8))
    }

    private func request(data: String, message: String = "m") throws -> PushRequest {
        try request(#"{"message":"\#(message)","data":\#(data),"push_token":"t"}"#)
    }

    private func refusal(_ body: [UInt8]) throws -> RelayRefusal? {
        try thrown(RelayRefusal.self) { try PushRequest(body: body) }
    }

    @Test("The body that Home Assistant 2026.11 posts is read, and passed on byte for byte")
    func body() throws {
        let text = #"""
            {"message":"Hello","title":"T","data":{"tag":"door","ttl":60},"push_token":"tok-1",
             "registration_info":{"app_id":"io.example.agent","app_version":"0.1.0","webhook_id":"w",
             "os_version":"12"},"hass_confirm_id":"c"}
            """#
        let request = try request(text)
        #expect(request.token == "tok-1" && request.tag == "door" && request.confirmID == "c")
        #expect(request.clears == nil && request.life == 60 && request.kind == .notification)
        #expect(request.body == Array(text.utf8))
    }

    @Test("Only the token must be there: bodies of state changes and of players have no message")
    func withoutMessage() throws {
        for key in ["push_subscription_trigger", "now_playing"] {
            let request = try request(#"{"\#(key)":{"a":1},"push_token":"t"}"#)
            #expect(request.kind == .notification && request.tag == nil)
            #expect(request.life == PushRequest.standardLife)
        }
        #expect(try request(#"{"push_token":"t","message":null}"#).kind == .notification)
    }

    private static let sendable = [
        #"{"push_token":"t","message":"a","mess\u0061ge":"b"}"#,
        #"{"push_token":"t","data":{"a\u0000b":"\u0000"}}"#,
        #"{"push_token":"t","message":"\ud83d"}"#,
        #"{"push_token":"t","data":{"n":[18446744073709551615,1e400,-0.0,1.5e-300]}}"#,
        "\t{ \"push_token\" : \"t\" , \"data\" : [ ] }\r\n",
        #"{"push_token":"t","message":"e\#u{301}\#u{1F468}\#u{200D}\#u{1F469}"}"#,
        #"{"push_token":"t","hass_confirm_id":5,"title":[],"registration_info":null}"#,
    ]

    @Test(
        "What can be sent is passed on as it came, though it may read otherwise",
        arguments: sendable)
    func asItCame(text: String) throws {
        let request = try request(text)
        #expect(request.body == Array(text.utf8) && request.token == "t")
    }

    @Test("Bytes that are no UTF-8 are passed on too")
    func notUTF8() throws {
        let body =
            Array(#"{"push_token":"t","message":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)
        #expect(try PushRequest(body: body).body == body)
    }

    private static let refusals: [(String, RelayRefusal)] = [
        ("", .malformed), ("{", .malformed), ("push_token=t", .malformed), ("[]", .notAnObject),
        ("5", .notAnObject), ("null", .notAnObject), (#""push_token""#, .notAnObject),
        ("{}", .noToken), (#"{"push_token":""}"#, .noToken), (#"{"push_token":5}"#, .noToken),
        (#"{"push_token":null,"message":"m"}"#, .noToken), (#"{"Push_token":"t"}"#, .noToken),
    ]

    @Test("What is none is refused with the reason", arguments: refusals)
    func refused(text: String, reason: RelayRefusal) throws {
        #expect(try refusal(Array(text.utf8)) == reason)
    }

    @Test("A body has 64 KiB and 32 levels at most")
    func bounds() throws {
        let (head, tail) = (Array(#"{"push_token":"t","message":""#.utf8), Array(#""}"#.utf8))
        let full = head + [UInt8](repeating: 0x61, count: 65_536 - head.count - tail.count) + tail
        #expect(try PushRequest(body: full).body.count == 65_536)
        #expect(try refusal(full + [0x20]) == .tooLarge)
        let nested: (Int) -> [UInt8] = { depth in
            let (open, close) = (
                String(repeating: "[", count: depth - 1), String(repeating: "]", count: depth - 1)
            )
            return Array(#"{"push_token":"t","data":\#(open)\#(close)}"#.utf8)
        }
        #expect(try refusal(nested(32)) == nil)
        #expect(try refusal(nested(33)) == .tooDeep)
        #expect(try refusal([UInt8](repeating: UInt8(ascii: "["), count: 65_536)) == .tooDeep)
        let values =
            Array(#"{"push_token":"t","data":["#.utf8)
            + Array(repeating: Array("0,".utf8), count: 32_000).joined() + Array("0]}".utf8)
        #expect(try refusal(values) == nil)
    }

    private static let livesOfData: [(String, Seconds)] = [
        ("{}", 86_400), (#"{"ttl":null}"#, 86_400), (#"{"ttl":[]}"#, 86_400),
        (#"{"ttl":true}"#, 86_400), (#"{"ttl":"soon"}"#, 86_400), (#"{"ttl":0}"#, 600),
        (#"{"ttl":"0"}"#, 600), (#"{"ttl":-5}"#, 600), (#"{"ttl":"-inf"}"#, 600),
        (#"{"ttl":"NaN"}"#, 600), (#"{"ttl":0.9}"#, 600), (#"{"ttl":1}"#, 1),
        (#"{"ttl":"90.5"}"#, 90.5), (#"{"ttl":604800}"#, 604_800), (#"{"ttl":604801}"#, 604_800),
        (#"{"ttl":1e300}"#, 604_800), (#"{"ttl":"inf"}"#, 604_800),
    ]

    @Test("How long it waits is a day, or what it says within a week", arguments: livesOfData)
    func life(data: String, seconds: Seconds) throws {
        #expect(try request(data: data).life == seconds)
    }

    private static let kindsOfBodies: [(message: String, data: String, PushRequest.Kind)] = [
        ("m", "{}", .notification), ("m", #"{"importance":"high"}"#, .notification),
        ("m", #"{"importance":"max"}"#, .free),
        ("m", #"{"push":{"sound":{"name":"default","critical":1}}}"#, .free),
        ("m", #"{"push":{"interruption-level":"critical"}}"#, .free),
        ("m", #"{"push":{"interruption-level":"passive"},"importance":"max"}"#, .notification),
        ("command_suspend", "{}", .free), ("command_ of the day", "{}", .notification),
        ("clear_notification", #"{"tag":"a"}"#, .free), ("request_location_update", "{}", .free),
        ("delete_alert", "{}", .free), ("TTS", "{}", .free), ("tts", "{}", .notification),
    ]

    @Test("Orders and critical alerts do not count", arguments: kindsOfBodies)
    func kind(message: String, data: String, kind: PushRequest.Kind) throws {
        #expect(try request(data: data, message: message).kind == kind)
    }

    @Test("A tag is a notification's; an order clears with its own, and takes nobody's place")
    func tags() throws {
        let notification = try request(data: #"{"tag":"a"}"#)
        #expect(notification.tag == "a" && notification.clears == nil)
        let clear = try request(data: #"{"tag":"a"}"#, message: "clear_notification")
        #expect(clear.tag == nil && clear.clears == "a")
        let order = try request(data: #"{"tag":"a"}"#, message: "command_suspend")
        #expect(order.tag == nil && order.clears == nil)
        #expect(try request(data: #"{"tag":""}"#).tag == nil)
        #expect(try request(data: "{}", message: "clear_notification").clears == nil)
        #expect(try request(data: #"{"tag":7}"#).tag == "7")
        #expect(try request(data: #"{"push":{"apns-collapse-id":"b"}}"#).tag == "b")
    }

    @Test("Only a text of 1 to 128 bytes is a confirm id")
    func confirmIDs() throws {
        let id: (String) throws -> String? = {
            try self.request(#"{"push_token":"t","hass_confirm_id":\#($0)}"#).confirmID
        }
        #expect(try id(#""c""#) == "c")
        #expect(try id(#""""#) == nil)
        #expect(try id("5") == nil)
        let long = String(repeating: "c", count: 129)
        #expect(try id("\"\(long)\"") == nil)
    }
}
