import Glibc
import HomeAssistantAPI
import HomingJSON
import Testing

/// Data that authors of automations write, read in every type that the data may have.
@Suite struct NotificationTests {
    private func payload(_ data: String, message: String = #""m""#) throws -> NotificationPayload {
        try #require(
            RelayedPost(Array(#"{"message":\#(message),"data":\#(data)}"#.utf8)).payload)
    }

    @Test("The body of a POST to push_url is read as an event is")
    func relayed() throws {
        let body = #"""
            {"message":"Hello","title":"T","data":{"tag":"a"},"push_token":"tok-1",
             "registration_info":{"app_id":"io.example.agent","app_version":"0.1.0","webhook_id":"w",
             "os_version":"12"},"hass_confirm_id":"c"}
            """#
        let post = RelayedPost(Array(body.utf8))
        let payload = try #require(post.payload)
        #expect(post.sender == "w" && !post.isOther)
        #expect(payload.message == "Hello" && payload.title == "T" && payload.tag == "a")
        #expect(payload.confirmID == "c")
    }

    @Test("A message may be a number, a title may be missing, data may be anything")
    func shapes() throws {
        #expect(try payload("{}", message: "5").message == "5")
        #expect(try payload("{}", message: "null").message == "")
        #expect(try payload("{}", message: #"["x"]"#).message == "")
        for data in ["null", "[]", "5", #""x""#] { #expect(try payload(data).data.isEmpty) }
        let other = RelayedPost(Array(#"{"title":"no message"}"#.utf8))
        #expect(other.payload == nil && other.isOther && other.sender == nil)
        for none in ["", "<html>", "[]", "5", #""message""#] {
            let post = RelayedPost(Array(none.utf8))
            #expect(post.payload == nil && !post.isOther && post.sender == nil, "\(none)")
        }
    }

    @Test("Keys of both phones")
    func keys() throws {
        let android = try payload(
            #"""
            {"tag":7,"group":"g","channel":"Motion","subject":"s","image":"/local/a.png",
             "icon_url":"https://x/i.png","clickAction":"/lovelace/0","timeout":"30","sticky":"true",
             "persistent":true,"alert_once":1,"confirmation":"yes","importance":"HIGH",
             "progress":20,"progress_max":"80","command":"backup"}
            """#)
        #expect(android.tag == "7" && android.group == "g" && android.channel == "Motion")
        #expect(android.subtitle == "s" && android.image == "/local/a.png")
        #expect(android.icon == "https://x/i.png" && android.clickAction == "/lovelace/0")
        #expect(android.timeout == 30 && android.isSticky && android.isPersistent)
        #expect(android.isAlertedOnce && android.wantsReceipt && android.importance == "high")
        #expect(android.progressPercent == 25 && android.command == "backup")
        let apple = try payload(
            #"""
            {"subtitle":"s","url":{"_":"/lovelace/1","OTHER":"/x"},"attachment":{"url":"/local/b.png"},
             "push":{"thread-id":"t","interruption-level":"Time-Sensitive","category":"camera",
             "sound":{"name":"none","critical":1}}}
            """#)
        #expect(apple.subtitle == "s" && apple.clickAction == "/lovelace/1")
        #expect(apple.image == "/local/b.png" && apple.group == "t")
        #expect(apple.interruptionLevel == "time-sensitive" && apple.category == "camera")
        #expect(apple.isCriticalSound && apple.isSilent)
    }

    @Test("Orders are those of phones and ours, and no text for people")
    func orders() throws {
        for message in ["command_suspend", "clear_notification", "TTS", "request_location_updates"]
        {
            #expect(NotificationPayload.isCommand(message))
            #expect(try payload("{}", message: "\"\(message)\"").isCommand)
        }
        let long = "command_" + String(repeating: "x", count: 57)
        for message in ["command_ of the day", "command", "tts", "", long] {
            #expect(!NotificationPayload.isCommand(message))
        }
        let clear = #""clear_notification""#
        #expect(try payload(#"{"tag":"a"}"#, message: clear).clearedTag == "a")
        #expect(try payload("{}", message: clear).clearedTag == nil)
        #expect(try payload(#"{"tag":"a"}"#).clearedTag == nil)
    }

    @Test("Critical is what either phone calls so")
    func critical() throws {
        for data in [
            #"{"push":{"sound":{"critical":1}}}"#, #"{"push":{"interruption-level":"Critical"}}"#,
            #"{"importance":"max"}"#, #"{"importance":"max","push":{"sound":{"critical":1}}}"#,
        ] { #expect(try payload(data).isCritical) }
        for data in [
            "{}", #"{"importance":"high"}"#, #"{"push":{"sound":{"critical":0}}}"#,
            #"{"importance":"max","push":{"interruption-level":"active"}}"#,
        ] { #expect(try !payload(data).isCritical) }
    }

    @Test("A time to live is never negative and never no number")
    func timeToLive() throws {
        let lives: [(String, Double?)] = [
            ("{}", nil), (#"{"ttl":null}"#, nil), (#"{"ttl":"soon"}"#, nil), (#"{"ttl":{}}"#, nil),
            (#"{"ttl":0}"#, 0), (#"{"ttl":"30"}"#, 30), (#"{"ttl":1.5}"#, 1.5), (#"{"ttl":-1}"#, 0),
            (#"{"ttl":"nan"}"#, 0), (#"{"ttl":"-inf"}"#, 0), (#"{"ttl":"inf"}"#, .infinity),
        ]
        for (data, life) in lives { #expect(try payload(data).timeToLive == life, "\(data)") }
    }

    @Test("What a relay is given may lack a message, and must be an object")
    func posted() throws {
        let bare = try #require(
            NotificationPayload(posted: .object(["push_token": .string("t")])))
        #expect(bare.message == "" && bare.data.isEmpty && !bare.isCommand)
        let whole = NotificationPayload(
            posted: .object([
                "message": .string("m"), "data": .object(["tag": .string("a")]),
                "hass_confirm_id": .string("c"),
            ]))
        #expect(whole?.message == "m" && whole?.tag == "a" && whole?.confirmID == "c")
        for value: JSONValue in [.null, .array([]), .string("m"), .whole(1)] {
            #expect(NotificationPayload(posted: value) == nil)
        }
    }

    @Test("Nonsense is as if it were not there")
    func nonsense() throws {
        let payload = try payload(
            #"""
            {"tag":{},"timeout":"soon","sticky":"maybe","progress":"x","progress_max":0,"actions":5,
             "push":"x","importance":[]}
            """#)
        #expect(payload.tag == nil && payload.timeout == nil && !payload.isSticky)
        #expect(payload.progressPercent == nil && payload.actions.isEmpty)
        #expect(payload.importance == nil && payload.interruptionLevel == nil)
    }

    @Test("Actions of both schemes")
    func actions() throws {
        let actions = try payload(
            #"""
            {"actions":[{"action":"OPEN","title":"Open","authenticationRequired":true,
             "destructive":"true","activationMode":"foreground"},
             {"action":"REPLY","title":"Reply"},
             {"action":"ANSWER","title":"A","behavior":"textInput","textInputButtonTitle":"Send",
              "textInputPlaceholder":"Say"},
             {"action":"URI","title":"U","uri":"https://example.org"},
             {"identifier":"OLD","title":"O"}, 5, null, {"title":"none"}]}
            """#
        ).actions
        #expect(actions.map(\.id) == ["OPEN", "REPLY", "ANSWER", "URI", "OLD", nil, nil, nil])
        #expect(actions.map(\.asksForText).prefix(3) == [false, true, true])
        #expect(actions[0].authenticationRequired && actions[0].destructive)
        #expect(actions[0].opensHomeAssistant && !actions[1].opensHomeAssistant)
        #expect(actions[2].textButton == "Send" && actions[2].textPlaceholder == "Say")
        #expect(actions[3].uri == "https://example.org")
    }

    @Test("An answer carries the notification's data, and what is ours wins")
    func actionEvent() {
        let subject = NotificationEvent.Subject(
            message: "Door?", title: "Front", tag: "door",
            data:
                #"{"action":"forged","device_id":"forged","push":{"action_data":{"k":1}},"x":[1]}"#
        )
        let stamp = NotificationEvent.Stamp(deviceID: "dev", homingID: "id", firedAt: 5.0004)
        let event = NotificationEvent.action("OPEN", reply: "yes", on: subject, stamp)
        #expect(event.type == "mobile_app_notification_action")
        #expect(
            event.data
                == #"{"action":"OPEN","action_data":{"k":1},"device_id":"dev","homing_fired_at":5,"#
                + #""homing_id":"id","message":"Door?","push":{"action_data":{"k":1}},"reply_text":"yes","#
                + #""tag":"door","title":"Front","x":[1]}"#)
    }

    @Test("Closing and showing have events of their own")
    func otherEvents() {
        let subject = NotificationEvent.Subject(
            message: "m", title: nil, tag: nil, data: "nonsense")
        let stamp = NotificationEvent.Stamp(deviceID: "dev", homingID: "id", firedAt: 1)
        let text = #"{"device_id":"dev","homing_fired_at":1,"homing_id":"id","message":"m"}"#
        let cleared = NotificationEvent.cleared(subject, stamp)
        #expect(cleared.type == "mobile_app_notification_cleared" && cleared.data == text)
        let received = NotificationEvent.received(subject, stamp)
        #expect(received.type == "mobile_app_notification_received" && received.data == text)
    }

    @Test("Data goes there and back as text")
    func dataText() throws {
        let text = #"{"a":[1,2.5,null,true,"x/y"],"b":{"c":{}}}"#
        #expect(try payload(text).dataText == text)
    }

    @Test("Random payloads are read or not, and never end the process")
    func fuzz() {
        let seed =
            getenv("HOMING_SEED").flatMap { UInt64(String(cString: $0)) }
            ?? UInt64.random(in: 0...(.max))
        let count = getenv("HOMING_PAYLOADS").flatMap { Int(String(cString: $0)) } ?? 10_000
        print("HOMING_SEED=\(seed), \(count) payloads")
        var random = PayloadGenerator(state: seed)
        var read = 0
        for _ in 0..<count {
            guard let message = WebSocketMessage(random.message()) else { continue }
            guard case .notification(_, let payload) = message else { continue }
            read += 1
            _ = [payload.tag, payload.clickAction, payload.image, payload.interruptionLevel]
            _ = (payload.timeout, payload.progressPercent, payload.isSilent, payload.dataText)
            _ = payload.actions.map { ($0.id, $0.title, $0.uri, $0.asksForText) }
        }
        #expect(read > count / 10)
    }
}

/// Makes notifications that are right, nearly right, and broken in bytes.
struct PayloadGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func message() -> [UInt8] {
        let text =
            #"{"id":3,"type":"event","event":{"message":\#(value(2)),"title":\#(value(1)),"#
            + #""data":\#(object(4)),"hass_confirm_id":"c"}}"#
        var bytes = Array(text.utf8)
        if UInt8.random(in: 0..<3, using: &self) == 0 {
            for _ in 0..<Int.random(in: 1...4, using: &self) {
                let index = Int.random(in: 0..<bytes.count, using: &self)
                bytes[index] = UInt8.random(in: 0...255, using: &self)
            }
        }
        return bytes
    }

    private mutating func object(_ depth: Int) -> String {
        let keys = [
            "tag", "actions", "push", "url", "timeout", "progress", "progress_max", "sound",
            "image",
            "interruption-level", "attachment", "_", "action", "title", "uri", "behavior",
        ]
        let members = (0..<Int.random(in: 0...5, using: &self)).map { _ in
            "\"\(keys.randomElement(using: &self) ?? "tag")\":\(value(depth - 1))"
        }
        return "{\(members.joined(separator: ","))}"
    }

    private mutating func value(_ depth: Int) -> String {
        let scalars = [
            "null", "true", "-1", "1e400", "9223372036854775808", "0.1", "\"\"", "\"\\ud800\"",
            "\"\\u0000\"", "\"text\"", "\"true\"", "\"1e999\"", "\"nan\"", "\"\u{1b}[31m\"",
        ]
        switch Int.random(in: 0..<(depth > 0 ? 4 : 2), using: &self) {
        case 2: return object(depth)
        case 3:
            let items = (0..<Int.random(in: 0...4, using: &self)).map { _ in value(depth - 1) }
            return "[\(items.joined(separator: ","))]"
        default: return scalars.randomElement(using: &self) ?? "null"
        }
    }
}
