import HomeAssistantAPI
import HomingJSON
import Testing

/// The messages of Home Assistant's WebSocket, as 2024.3.3, 2025.4.4 and 2026.11.0 send and take them.
@Suite struct WebSocketTests {
    private func text(_ command: WebSocketCommand, id: Int) -> String {
        String(decoding: command.message(id: id), as: UTF8.self)
    }

    private func read(_ text: String) -> WebSocketMessage? { WebSocketMessage(Array(text.utf8)) }

    @Test("What is sent is what Home Assistant takes")
    func commands() {
        #expect(
            text(.authenticate(token: "t\"k"), id: 9) == #"{"type":"auth","access_token":"t\"k"}"#)
        #expect(
            text(.subscribePush(webhookID: "w"), id: 3)
                == #"{"type":"mobile_app/push_notification_channel","id":3,"webhook_id":"w","support_confirm":true}"#
        )
        #expect(
            text(.confirmPush(webhookID: "w", confirmID: "c"), id: 4)
                == #"{"type":"mobile_app/push_notification_confirm","id":4,"webhook_id":"w","confirm_id":"c"}"#
        )
        #expect(text(.ping, id: 5) == #"{"type":"ping","id":5}"#)
        #expect(
            text(.webhook(webhookID: "w", body: Array(#"{"type":"get_config"}"#.utf8)), id: 6)
                == #"{"type":"webhook/handle","id":6,"webhook_id":"w","method":"POST","#
                + #""body":"{\"type\":\"get_config\"}"}"#)
    }

    @Test("A command's description has neither token nor webhook id")
    func discreet() {
        let commands: [WebSocketCommand] = [
            .authenticate(token: "secret"), .subscribePush(webhookID: "secret"),
            .confirmPush(webhookID: "secret", confirmID: "secret"),
            .webhook(webhookID: "secret", body: Array("secret".utf8)),
        ]
        for command in commands {
            #expect(!"\(command)".contains("secret"))
            #expect(!String(reflecting: command).contains("secret"))
        }
    }

    @Test("The sign-in's words")
    func signIn() {
        #expect(
            read(#"{"type":"auth_required","ha_version":"2026.11.0"}"#)
                == .authRequired(version: "2026.11.0"))
        #expect(
            read(#"{"type":"auth_ok","ha_version":"2024.3.3"}"#) == .authOK(version: "2024.3.3"))
        #expect(
            read(#"{"type":"auth_invalid","message":"Invalid access token or password"}"#)
                == .authInvalid)
    }

    @Test("Results, good and bad")
    func results() {
        #expect(
            read(#"{"id":3,"type":"result","success":true,"result":null}"#)
                == .done(id: 3, reply: nil))
        #expect(
            read(
                #"{"id":3,"type":"result","success":false,"error":{"code":"not_found","message":"Webhook ID not found"}}"#
            ) == .refused(id: 3, code: "not_found", message: "Webhook ID not found"))
        #expect(
            read(#"{"id":3,"type":"result","success":false}"#)
                == .refused(id: 3, code: "unknown_error", message: ""))
        #expect(read(#"{"id":7,"type":"pong"}"#) == .pong(id: 7))
    }

    @Test("The answer to a webhook request that went over the socket")
    func webhookReply() {
        let headers = #""headers":{"Content-Type":"application/json"}"#
        #expect(
            read(
                #"{"id":3,"type":"result","success":true,"result":{"body":"{}","status":200,\#(headers)}}"#
            ) == .done(id: 3, reply: .init(status: 200, body: Array("{}".utf8))))
        #expect(
            read(
                #"{"id":3,"type":"result","success":true,"result":{"body":null,"status":200,"headers":{}}}"#
            )
                == .done(id: 3, reply: .init(status: 200, body: [])))
    }

    @Test("What is none of ours is read as such, and what is no message as none")
    func others() {
        #expect(read(#"{"id":1,"type":"event","event":{"event_type":"x"}}"#) == .other)
        #expect(read(#"{"type":"something new"}"#) == .other)
        for text in [
            "", "[]", "null", "{}", #"{"type":5}"#, #"{"type":"result"}"#, #"{"type":"pong"}"#,
            #"{"type":"event","event":{}}"#, #"{"type":"auth_ok""#, "<html>",
        ] {
            #expect(read(text) == nil, "\(text)")
        }
    }

    @Test("A notification as it is delivered")
    func notification() {
        let message = read(
            #"{"id":3,"type":"event","event":{"message":"confirm me","title":"T","#
                + #""data":{"tag":"x"},"hass_confirm_id":"06ca30b8"}}"#)
        var payload = NotificationPayload(
            message: "confirm me", title: "T", data: ["tag": .string("x")])
        payload.confirmID = "06ca30b8"
        #expect(message == .notification(subscription: 3, payload))
    }

    @Test("A confirmation's id that is longer than Home Assistant's is left out")
    func longConfirmID() {
        for (length, isKept) in [(32, true), (128, true), (129, false), (60_000, false)] {
            let id = String(repeating: "c", count: length)
            let event = #"{"message":"m","hass_confirm_id":"\#(id)"}"#
            let message = read(#"{"id":3,"type":"event","event":\#(event)}"#)
            guard case .notification(_, let payload)? = message else {
                Issue.record("it was not read")
                continue
            }
            #expect(payload.message == "m" && payload.confirmID == (isKept ? id : nil))
        }
    }

    @Test("A large message keeps its text and leaves its data")
    func large() {
        let numbers = String(repeating: "1,", count: 200_000)
        let title = String(repeating: "x", count: 1 << 20)
        guard
            case .notification(_, let payload)? = read(
                #"{"id":3,"type":"event","event":{"message":"m","title":"\#(title)","#
                    + #""data":{"tag":"x","n":[\#(numbers)1]},"hass_confirm_id":"c"}}"#)
        else {
            Issue.record("it was not read")
            return
        }
        #expect(payload.title?.utf8.count == 1 << 20)
        #expect(payload.confirmID == "c")
        #expect(payload.data.isEmpty)
    }

    @Test("Deep nesting is refused, not followed to the end of the stack")
    func deep() {
        let depth = 20_000
        let text =
            #"{"id":3,"type":"event","event":{"message":"m","data":"#
            + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}}"
        #expect(read(text) == nil)
    }
}
