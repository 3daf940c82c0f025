import HomeAssistantAPI
import HomingCrypto
import HomingDelivery
import HomingJSON
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent
@testable import HomingControl
@testable import HomingNotifications
@testable import HomingPush
@testable import HomingRegistration
@testable import HomingSensors
@testable import HomingSocket

/// 64 kB of anything, at each entry point: decided within 50 ms of processor time.
@Suite(.serialized) struct EntryPointTests {
    /// Hostile texts as a whole, and in the place of a value of each frame: `{"a":VALUE}`.
    private static func inputs(_ frames: [String]) -> [(name: String, text: [UInt8])] {
        var inputs = HostileText.json(bytes: Price.size)
        for frame in frames {
            let parts = frame.split(separator: "VALUE", omittingEmptySubsequences: false)
            let (head, tail) = (Array(parts[0].utf8), Array(parts[1].utf8))
            for (name, text) in HostileText.json(bytes: Price.size - head.count - tail.count) {
                inputs.append(
                    ("\(name) in \(frame.replacing("\"", with: "'"))", head + text + tail))
            }
        }
        return inputs
    }

    @Test("A request on the control socket")
    func request() {
        let requests = [
            #""method":"call_service","params":{"domain":"a","service":"b","data":VALUE}"#,
            #""method":"render_template","params":{"template":"a","variables":{"a":VALUE}}"#,
            #""method":"send_event","params":{"type":"a","data":{"a":VALUE},"wait":false}"#,
            #""method":"attend_desktop","params":{"version":"1","shown":VALUE,"reports":[]}"#,
            #""method":"status","params":VALUE"#,
        ]
        Price.highest(of: Self.inputs(requests.map { #"{"v":1,"id":1,\#($0)}"# })) { line in
            _ = try ReceivedRequest<ControlRequest>(line).verb()
        }.check("control socket: request")
    }

    @Test("An answer on the control socket")
    func answer() {
        let frames = [
            #"{"id":1,"result":{"points":VALUE}}"#, #"{"id":1,"result":{"points":[VALUE]}}"#,
        ]
        Price.highest(of: Self.inputs(frames)) { line in
            _ = try? JSON.decode(LineReply<StatusReport>.self, from: line)
            _ = try JSON.decode(LineReply<TrackPage>.self, from: line).result?.trackPoints
        }.check("control socket: answer")
    }

    @Test("An order to the session's helper")
    func order() {
        Price.highest(of: Self.inputs([#"{"show":{"_0":{"key":"k","message":VALUE}}}"#])) { line in
            _ = try JSON.decode(DesktopOrder.self, from: line)
        }.check("session helper: order")
    }

    private static let stamp = NotificationEvent.Stamp(deviceID: "d", homingID: "i", firedAt: 1)

    /// From the payload to what an answer sends.
    private static func show(_ payload: NotificationPayload) {
        guard case .notification(let message) = PushContent(payload) else { return }
        let subject = NotificationEvent.Subject(
            message: message.message, title: message.title, tag: message.tag, data: message.data)
        _ = NotificationEvent.action("A", reply: nil, on: subject, stamp)
    }

    private static let payloads = [
        #"{"message":"m","data":{"a":VALUE}}"#, #"{"message":"m","data":{"actions":VALUE}}"#,
        #"{"message":"m","data":{"url":VALUE}}"#, #"{"message":VALUE}"#,
        #"{"message":"m","data":{"tag":VALUE,"title":"t"}}"#, #"{"message":"m","title":VALUE}"#,
    ]

    @Test("A message of Home Assistant's WebSocket")
    func webSocket() {
        let frames = Self.payloads.map { #"{"id":1,"type":"event","event":\#($0)}"# }
        let results = [
            #"{"id":1,"type":"result","success":true,"result":VALUE}"#,
            #"{"id":1,"type":"result","success":false,"error":{"code":VALUE}}"#,
        ]
        Price.highest(of: Self.inputs(frames + results)) { text in
            if case .notification(_, let payload)? = WebSocketMessage(text) { Self.show(payload) }
        }.check("WebSocket: message")
    }

    @Test("A notification that the relay brings")
    func relay() {
        Price.highest(of: Self.inputs(Self.payloads)) { body in
            if let payload = NotificationPayload(relayed: body) { Self.show(payload) }
        }.check("relay: notification")
    }

    @Test("The categories of notifications")
    func categories() {
        let frames = [#"{"categories":VALUE}"#, #"{"categories":[{"actions":VALUE}]}"#]
        Price.highest(of: Self.inputs(frames)) { body in
            let list = NotificationCategory.list(body) ?? []
            _ = PushCategory.examine(list)
        }.check("HTTP: categories")
    }

    private static let replies = [
        #"[{"entity_id":"z","attributes":VALUE}]"#, #"{"version":"1","components":VALUE}"#,
        #"{"version":"1","components":[],"entities":VALUE}"#, #"{"r":VALUE}"#,
        #"{"a":{"success":VALUE}}"#,
    ]
    private static let requests: [Request] = [.configuration, .zones, .receipt, .sensors([])]

    @Test("An answer to a webhook, in the clear and sealed")
    func webhook() throws {
        let key = try SecretKey(hexadecimal: String(repeating: "ab", count: 32))
        for sealer in [nil, SecretBox(key: key)] {
            let envelope = WebhookEnvelope(sealer: sealer)
            let inputs = Self.inputs(Self.replies).map { name, text in
                guard let sealer else { return (name: name, text: text) }
                let sealed = sealer.seal(Array(text.prefix(Price.size * 3 / 4 - 100)))
                return (
                    name: name,
                    text: Array(#"{"encrypted":true,"encrypted_data":"\#(sealed)"}"#.utf8)
                )
            }
            let prices = Self.requests.map { request in
                Price.highest(of: inputs) { body in
                    guard case .opened(let content) = envelope.contents(of: body) else { return }
                    _ = ReplyReader.read(
                        content, request: request, nonce: "n", onNewConnection: false)
                }
            }
            prices.max { $0.seconds < $1.seconds }?
                .check("webhook: \(sealer == nil ? "clear" : "sealed") answer")
        }
    }

    @Test("What a script writes")
    func script() {
        let sensor = #"{"sensors":[{"id":"a","name":"A","state":1,"attributes":{"a":VALUE}}]}"#
        Price.highest(of: Self.inputs([sensor, #"{"sensors":VALUE}"#])) { output in
            _ = try ScriptOutput(output, of: "x")
        }.check("script: output")
    }

    @Test("The file of the registration")
    func registration() throws {
        let folder = try TemporaryFolder()
        let store = RegistrationStore(
            directory: folder.path,
            credentials: HomeCredentials(of: "home", isFirst: true, in: nil))
        Price.highest(of: Self.inputs([#"{"version":1,"home_networks":VALUE}"#])) { content in
            try AtomicFile.write(content, to: store.path)
            _ = try store.load()
        }.check("registration file")
    }
}
