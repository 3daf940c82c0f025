import HomingJSON
import HomingLocation
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingControl
@testable import HomingSocket

@Suite struct ControlProtocolTests {
    init() { LoopThread.start() }

    private static let data: [String: JSONValue] = [
        "camelCase": .whole(5), "list": .array([.null, .boolean(true), .number(0.5)]),
    ]
    private static let commands: [ControlCommand] = [
        .status, .watchStatus, .unregister, .sendLocation(zone: "Work"),
        .sendLocation(zone: nil), .networks, .judgeNetworks(areHome: true),
        .register(
            .init(
                url: "http://x", token: "t", deviceName: nil, again: true, homeNetwork: true,
                allowUnencrypted: false, allowPlainHTTP: true)),
        .registration, .examine, .reload, .updateRegistration(deviceName: "Van"), .keepRegistration,
        .enableEncryption(overPlainHTTP: true),
        .sendEvent(type: "t", data: data, wait: true, expires: 5),
        .callService(domain: "light", service: "turn_on", data: data),
        .renderTemplate(template: "{{ 1 }}", variables: data), .zones,
        .homeAssistantConfiguration, .scanTag(tag: "x"),
        .say(text: "hello", language: nil, isNew: false),
        .camera(entity: "camera.x"),
        .homes, .removeHome, .renameHome(to: "cabin"),
        .notify(message: "m", title: nil, data: "{}"), .notifications,
        .refreshNotifications,
        .receiveNotification(body: #"{"message":"m"}"#),
        .joinRelay(
            .init(url: "https://relay.example", code: "c", newKey: true, overPlainHTTP: false)),
        .leaveRelay, .checkRelay, .testRelay(isShown: true),
        .readTrack(since: 1, until: 2, after: TrackCursor(time: 1.5, row: 3)),
        .attendDesktop(
            .init(
                version: "1", shown: ["a"],
                reports: [.chosen(key: "k", button: 1, reply: "yes", age: 2.5)])),
        .reportDesktop(.asked(number: 3, text: nil, problem: "none")),
    ]

    @Test("Every command survives the wire")
    func roundTrip() throws {
        #expect(Set(Self.commands.map(\.method)) == Set(ControlMethod.allCases))
        for command in Self.commands {
            for home in [nil, "cabin"] {
                let request = ControlRequest(command, home: home)
                let back = try ReceivedRequest<ControlRequest>(
                    try JSON.bytes(LineRequest(id: 7, request)))
                #expect(back.id == 7 && back.method == command.method)
                #expect(try back.verb() == request)
            }
        }
    }

    @Test(
        "A home that is no text is refused, and is not taken for the only home",
        arguments: ["1", "[]", "{}", "true"])
    func wrongHome(home: String) throws {
        let line = #"{"v":1,"id":1,"method":"remove_home","params":{"home":\#(home)}}"#
        let received = try ReceivedRequest<ControlRequest>(Array(line.utf8))
        #expect(throws: (any Error).self) { try received.verb() }
    }

    @Test("The names of parameters on the wire are those that other versions know")
    func names() throws {
        let whole: [ControlCommand] = [
            .sendLocation(zone: "Work", allowUnknown: true),
            .say(text: "hello", language: "en", isNew: false),
            .notify(message: "m", title: "t", data: "{}"),
            .joinRelay(
                .init(
                    url: "https://ha.example", code: "c", newKey: true, overPlainHTTP: false,
                    fingerprint: "f", farCode: "d")),
        ]
        var names: [String: [String]] = [:]
        for command in Self.commands + whole {
            let line = try JSONValue(json: JSON.bytes(LineRequest(id: 7, ControlRequest(command))))
            names[command.method.rawValue] = line?["params"]?.members.keys.sorted()
        }
        #expect(
            names == [
                "attend_desktop": ["reports", "shown", "version"],
                "call_service": ["data", "domain", "service"],
                "camera": ["entity"],
                "enable_encryption": ["overPlainHTTP"],
                "join_relay": [
                    "code", "farCode", "fingerprint", "newKey", "overPlainHTTP", "url",
                ],
                "judge_networks": ["areHome"],
                "notify": ["data", "message", "title"],
                "read_track": ["after", "since", "until"],
                "receive_notification": ["body"],
                "register": [
                    "again", "allowPlainHTTP", "allowUnencrypted", "homeNetwork", "new", "token",
                    "tokenIsOwn", "url",
                ],
                "rename_home": ["to"],
                "render_template": ["template", "variables"],
                "report_desktop": ["asked"],
                "say": ["isNew", "language", "text"],
                "scan_tag": ["tag"],
                "send_event": ["data", "expires", "type", "wait"],
                "send_location": ["allowUnknown", "zone"],
                "test_relay": ["isShown"],
                "update_registration": ["deviceName"],
            ])
    }

    @Test("A page of the track comes through the wire as it was, but for numbers that are none")
    func page() throws {
        let place = try #require(Coordinate(latitude: 52, longitude: 4))
        let whole = Fix(
            coordinate: place, accuracy: 5, time: 1, altitude: -3.5, speed: 0, course: 360)
        let bare = Fix(coordinate: place, accuracy: 5, time: 2)
        let broken = Fix(coordinate: place, accuracy: .infinity, time: 3)
        let undated = Fix(
            coordinate: place, accuracy: 5, time: 4, timeSource: .arrival, source: .geoclue)
        let page = TrackPage([whole, bare, broken, undated], next: TrackCursor(time: 3, row: 7))
        #expect(page.points.count == 4)
        let read = try JSON.decode(TrackPage.self, from: JSON.bytes(page))
        #expect(read == page && read.trackPoints == [whole, bare, undated])
    }

    @Test(
        "A page of the track with a row of another shape is refused, not cut short",
        arguments: [#"[["1",2]]"#, "[5]", "[[true]]", "5", "[[[]]]"])
    func strangePage(_ points: String) {
        #expect(throws: DecodingError.self) {
            try JSON.decode(TrackPage.self, from: "{\"points\":\(points)}".utf8)
        }
    }

    @Test("A refusal never ends with the exit code of success")
    func exitCodeOfRefusal() throws {
        let json = #"{"code":0,"message":"no"}"#.utf8
        #expect(try JSON.decode(ControlError.self, from: json).exitCode == .failure)
    }

    @Test("Strangers may ask for the status, and whether they are to show notifications")
    func strangers() {
        let open = ControlMethod.allCases.filter(\.isForEveryone)
        #expect(open == [.status, .watchStatus, .attendDesktop, .reportDesktop])
    }

    @Test("Who sits in front may have a notification shown, and nothing else")
    func inFront() {
        #expect(ControlMethod.allCases.filter(\.isForWhoIsInFront) == [.notify])
    }

    @Test("A daemon answers its clients, refuses nonsense, and outlives both")
    func overASocket() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/control.sock"
        let server = try await Self.serve(path)
        let client = try ControlClient(path: path)
        let done = try client.call(.unregister, returning: Done.self)
        #expect(done == Done())
        let refusal = try thrown(ControlError.self) {
            try client.call(.sendLocation(zone: "x"), returning: SendLocationResult.self)
        }
        #expect(refusal?.exitCode == .temporary && refusal?.hint == "later")
        #expect(throws: ControlError.self) {
            try ControlClient(path: path).call(.status, returning: SendLocationResult.self)
        }
        #expect(try client.call(.unregister, returning: Done.self) == Done())
        await spawn { server.shutdown() }.value
        let gone = try thrown(ControlError.self) { try ControlClient(path: path) }
        #expect(gone?.exitCode == .unavailable && gone?.isAbsence == true)
    }

    @LoopActor private static func serve(_ path: String) throws -> LineServer<ControlRequest> {
        try LineServer(path: path) { asked, request in
            switch asked.command {
            case .unregister: request.reply(Done())
            case .status: request.connection.close()
            default: request.refuse(ControlError(.temporary, "not now", hint: "later"))
            }
        }
    }
}
