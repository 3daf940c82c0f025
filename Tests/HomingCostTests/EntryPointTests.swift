import HomeAssistantAPI
import HomingBase
import HomingCrypto
import HomingDelivery
import HomingJSON
import HomingRelayProtocol
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
                let shown = frame.replacing("\"", with: "'").prefix(100)
                inputs.append(("\(name) in \(shown)", head + text + tail))
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

    /// Whole reports with the hostile text in the place of a member.
    private static func statuses() throws -> [String] {
        let report = StatusReport(
            version: "1", processID: 1, uptime: 1,
            network: .init(connection: "c", connectivity: "full", metered: false),
            position: .init(gpsd: "watching", mode: 3), skipped: [:], warnings: [],
            homes: [StatusReport.Home(name: "h")])
        let members = try JSONValue(encoding: report).members
        return ["homes", "warnings", "skipped", "network"].map { name in
            let hostile = members.merging([name: .string("VALUE")]) { $1 }
            let line = JSONValue.object(["id": .whole(1), "result": .object(hostile)])
            return line.json().replacing("\"VALUE\"", with: "VALUE")
        }
    }

    @Test("A status on the control socket")
    func status() throws {
        Price.highest(of: Self.inputs(try Self.statuses())) { line in
            _ = try JSON.decode(LineReply<StatusReport>.self, from: line)
        }.check("control socket: status")
    }

    @Test("A track on the control socket")
    func track() {
        let pages = [
            #"{"id":1,"result":{"points":VALUE}}"#, #"{"id":1,"result":{"points":[VALUE]}}"#,
        ]
        Price.highest(of: Self.inputs(pages)) { line in
            _ = try JSON.decode(LineReply<TrackPage>.self, from: line).result?.trackPoints
        }.check("control socket: track")
    }

    @Test("An order to the session's helper")
    func order() {
        Price.highest(of: Self.inputs([#"{"show":{"_0":{"key":"k","message":VALUE}}}"#])) { line in
            _ = try JSON.decode(DesktopOrder.self, from: line)
        }.check("session helper: order")
    }

    private static let stamp = NotificationEvent.Stamp(deviceID: "d", homingID: "i", firedAt: 1)

    /// Passes from the payload to what an answer sends.
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
            let post = RelayedPost(body)
            _ = RelayTest.mark(in: post)
            if let payload = post.payload { Self.show(payload) }
        }.check("relay: notification")
    }

    @Test("The answer to a machine that joins a relay, or a relay's refusal")
    func joining() {
        let frames = [
            #"{"sealed":VALUE,"maximum":1,"push_url":"https://x"}"#, #"{"errorType":VALUE}"#,
            #"{"sealed":"","maximum":1,"push_url":VALUE}"#,
            #"{"sealed":"","maximum":1,"push_url":"https://x","name":VALUE}"#,
            #"{"sealed":"","maximum":1,"push_url":"https://x","front":{"url":VALUE}}"#,
            #"{"renewal":VALUE}"#,
        ]
        Price.highest(of: Self.inputs(frames)) { body in
            for body in [body, Array(body.prefix(JoinAnswer.limit - 2)) + Array("\"}".utf8)] {
                if let answer = JoinAnswer(body: body) {
                    _ = (RelayAddress(answer.pushURL), SafeText.line(answer.name ?? ""))
                }
            }
            _ = (RelayClient.failure(403, body), RelayClient.renewal(in: body))
        }.check("relay: join answer")
    }

    @Test("A message that a front sealed and a relay forwards: good, and signed by another")
    func forwarded() throws {
        let (ring, far) = (try TokenRing.random(), try TokenRing.random())
        let pair = try KeyPair()
        let mailbox = MailboxID(of: pair.publicKey)
        func opener(_ ring: TokenRing) throws -> (PushToken, ParcelOpener) {
            let token = try #require(ring.token(for: pair.publicKey, generation: 0))
            let key = try #require(ring.parcelKey(of: mailbox, keyID: token.keyID))
            return (token, ParcelOpener(pair: pair, parcelKeys: [token.keyID: key]))
        }
        let (token, inner) = try opener(ring)
        let (farToken, outer) = try opener(far)
        var ids = MessageIDs()
        func sealed(_ content: Parcel.Content, by ring: TokenRing, _ token: PushToken) throws
            -> [UInt8]
        {
            let parcel = Parcel(
                id: ids.next(at: 1), mailbox: mailbox, arrived: 1, expires: 2, content: content)
            return try ParcelSealer(ring: ring).seal(parcel, for: token, at: 0)
        }
        let parcel = try sealed(
            .push([UInt8](repeating: 0x61, count: PushRequest.limit)), by: ring, token)
        let inputs = try [("good", ring), ("signed by another", far)].map { name, signer in
            let box = FrontBox(parcel, in: mailbox, signedWith: signer.signingKey)
            return (name: name, text: try sealed(.forwarded(box), by: far, farToken))
        }
        Price.highest(of: inputs) { sealed in
            guard case .forwarded(let box) = try outer.open(sealed, in: mailbox, at: 1).content
            else { return }
            _ = try inner.open(box, in: mailbox, signedBy: ring.signingKey.verifyKey)
        }.check("relay: forwarded message")
    }

    @Test("What Home Assistant posts to a relay")
    func post() {
        let frames =
            Self.payloads + [
                #"{"message":"m","data":{"ttl":VALUE},"push_token":"t"}"#,
                #"{"push_token":"t","hass_confirm_id":VALUE}"#, #"{"push_token":VALUE}"#,
            ]
        Price.highest(of: Self.inputs(frames)) { body in
            let request = try PushRequest(body: body)
            _ = PushToken(request.token)
        }.check("relay: request")
    }

    @Test("What a front posts to the far relay, and a device to its front")
    func front() {
        let frames = [
            #"{"push_token":"t","waited":1,"life":1,"confirm":"c","box":VALUE}"#,
            #"{"push_token":"t","waited":VALUE}"#, #"{"push_token":"t","far_token":VALUE}"#,
        ]
        Price.highest(of: Self.inputs(frames)) { body in
            _ = try? SealedRequest(body: body)
            _ = try? ForwardRequest(body: body)
        }.check("relay: front")
    }

    @Test("A frame between relay and device")
    func frame() {
        let frames = [
            #"{"hello":1,"now":5,"challenge":VALUE}"#, #"{"ack":VALUE}"#, #"{"ack":[VALUE]}"#,
            #"{"ready":1,"waiting":1,"count":VALUE}"#, #"{"bye":1,"why":VALUE}"#,
            #"{"m":"AaE7hgB7AAUAAQIDBAUGBw","now":5,"parcel":VALUE}"#,
        ]
        Price.highest(of: Self.inputs(frames)) { text in
            _ = RelayFrame(text)
        }.check("relay: frame")
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
    private static let requests: [Request] = [
        .configuration, .zones, .receipt,
        .shortReceipt(TrackerNames(tracker: "device_tracker.van", witness: "sensor.van_load_1m")),
        .sensors([]),
    ]

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
