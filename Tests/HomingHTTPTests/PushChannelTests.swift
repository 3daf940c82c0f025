import Glibc
import HomeAssistantAPI
import HomingJSON
import HomingNotifications
import HomingRoutes
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingHTTP
@testable import HomingPush

/// Server on which the push channel is tried. It is a real Home Assistant if `HOMING_HA_URL` and
/// `HOMING_HA_TOKEN` name a server, else Server/homeassistant.py.
@LoopActor private final class Target {
    let url: String
    let token: String
    let webhookID: String
    let service: String
    let isReal: Bool
    let client = makeClient()

    init() async throws {
        let real = getenv("HOMING_HA_URL").map { String(cString: $0) }
        isReal = real != nil
        url = try real ?? TestServer.url("ha")
        token = getenv("HOMING_HA_TOKEN").map { String(cString: $0) } ?? "token"
        let id = "push\(UInt32.random(in: 0...(.max)))"
        service = "mobile_app_\(id)"
        let device = DeviceDescription(
            id: id, name: id, manufacturer: "m", model: "m", osName: "Linux", osVersion: "1")
        let request = try JSON.bytes(
            RegistrationRequest(appVersion: "1", device: device), names: .snakeCase)
        let answer = try await Self.post(
            client, url + "/api/mobile_app/registrations", request, token)
        let reply = try JSON.decode(RegistrationReply.self, from: answer)
        webhookID = reply.webhookID
    }

    static func post(
        _ client: HTTPClient, _ url: String, _ body: [UInt8], _ token: String
    ) async throws -> [UInt8] {
        var request = HTTPRequest.post(url, body)
        request.bearerToken = token
        let answer = try await client.response(to: request).get()
        try #require((200...201).contains(answer.status), "\(answer.text)")
        return answer.body
    }

    /// Somebody calls `notify`.
    func notify(_ body: String) async throws {
        _ = try await Self.post(
            client, "\(url)/api/services/notify/\(service)", Array(body.utf8), token)
    }

    /// Something only the stand-in can do.
    func fake(_ path: String) async throws -> String {
        let body = try await Self.post(client, "\(url)/\(path)", [], token)
        return String(decoding: body, as: UTF8.self)
    }
}

/// A channel, and what it told.
@LoopActor private final class ChannelBench {
    private(set) var contents: [PushContent] = []
    private(set) var channel: PushChannel!

    init(_ target: Target, token: String? = nil) {
        let identity = PushChannel.Identity(
            webhookID: target.webhookID, token: token ?? target.token)
        channel = PushChannel(
            identity: identity, over: target.client, session: PushSession(seed: 1),
            clock: SystemClock()
        ) { [weak self] event in
            if case .content(let content, _) = event { self?.contents.append(content) }
        }
        channel.handlePushEvent(
            .endpoints([ChannelEndpoint(kind: .instance, url: target.url)], networkChanged: true))
    }

    var texts: [String] {
        contents.compactMap {
            if case .notification(let message) = $0 { message.message } else { nil }
        }
    }

    var isOpen: Bool { if case .open = channel.session.state { true } else { false } }

    func until(_ condition: () async throws -> Bool) async throws {
        let deadline = SystemClock.now().uptime + 15
        while try await !condition() {
            try #require(
                SystemClock.now().uptime < deadline,
                "\(channel.session.state) \(channel.session.problem ?? "") \(texts)")
            await Watch.pause(0.01)
        }
    }
}

extension HTTPTests {
    @Suite("Push channel", .serialized) struct PushChannelTests {
        init() { LoopThread.start() }

        @Test("Notifications arrive in order, each once, and are confirmed")
        @LoopActor func arrives() async throws {
            let target = try await Target()
            let bench = ChannelBench(target)
            defer { bench.channel.shutdown() }
            try await bench.until { bench.isOpen }
            for number in 0..<20 { try await target.notify("{\"message\":\"m\(number)\"}") }
            try await bench.until { bench.texts.count == 20 }
            #expect(bench.texts == (0..<20).map { "m\($0)" })
            // Longer than the stand-in waits for confirmations: had one failed, the next would too.
            await Watch.pause(2.5)
            try await target.notify(#"{"message":"last","title":"T","data":{"tag":"x"}}"#)
            try await bench.until { bench.texts.last == "last" }
            guard case .notification(let message)? = bench.contents.last else { return }
            #expect(message.title == "T" && message.tag == "x" && message.data == #"{"tag":"x"}"#)
            try await bench.until { bench.channel.session.lastConfirmed != nil }
        }

        @Test("An endpoint that fails at once is tried again in a second, not after half a minute")
        @LoopActor func failsAtOnce() async throws {
            let identity = PushChannel.Identity(webhookID: "id", token: "token")
            var tries = 0
            let channel = PushChannel(
                identity: identity, over: makeClient(), session: PushSession(seed: 1),
                clock: SystemClock(),
                admit: { _, then in
                    tries += 1
                    then(.refused("not now"))
                }
            ) { _ in }
            defer { channel.shutdown() }
            channel.handlePushEvent(
                .endpoints(
                    [ChannelEndpoint(kind: .instance, url: "http://127.0.0.1:1")],
                    networkChanged: true))
            #expect(tries == 1)
            let deadline = SystemClock.now().uptime + 10
            while tries < 3, SystemClock.now().uptime < deadline { await Watch.pause(0.05) }
            #expect(tries >= 3)
        }

        @Test(
            "Whatever the server does to its messages, each arrives once, in order, and is confirmed",
            arguments: ["fragments", "floods", "lies", "stalls"])
        @LoopActor func arrivesAllTheSame(_ manner: String) async throws {
            let target = try await Target()
            guard !target.isReal else { return }
            let bench = ChannelBench(target)
            defer { bench.channel.shutdown() }
            _ = try await target.fake("manner/\(manner)")
            try await bench.until { bench.isOpen }
            for number in 0..<5 { try await target.notify("{\"message\":\"m\(number)\"}") }
            try await bench.until { bench.texts.count == 5 }
            await Watch.pause(2.5)
            try await target.notify(#"{"message":"last"}"#)
            try await bench.until { bench.texts.last == "last" }
            #expect(bench.texts == (0..<5).map { "m\($0)" } + ["last"])
            try await bench.until { bench.isOpen }
            _ = try await target.fake("manner/none")
        }

        @Test("After sleep and resume, and after a change of network, it is open again")
        @LoopActor func reopens() async throws {
            let target = try await Target()
            let bench = ChannelBench(target)
            defer { bench.channel.shutdown() }
            try await bench.until { bench.isOpen }
            bench.channel.handlePushEvent(.sleep)
            #expect(bench.channel.session.state == .asleep)
            bench.channel.handlePushEvent(.resume)
            try await bench.until { bench.isOpen }
            bench.channel.handlePushEvent(
                .endpoints(
                    [ChannelEndpoint(kind: .instance, url: target.url)], networkChanged: true))
            #expect(!bench.isOpen)
            try await bench.until { bench.isOpen }
            try await target.notify(#"{"message":"here"}"#)
            try await bench.until { bench.texts == ["here"] }
        }

        @Test("A webhook request travels over the open socket")
        @LoopActor func webhook() async throws {
            let target = try await Target()
            let bench = ChannelBench(target)
            defer { bench.channel.shutdown() }
            let refused = bench.channel.send(webhook: []) { _ in Issue.record("not open") }
            #expect(!refused)
            try await bench.until { bench.isOpen }
            var reply: WebSocketMessage.Reply?
            let isTaken = bench.channel.send(webhook: Array(#"{"type":"get_zones"}"#.utf8)) {
                reply = $0
            }
            #expect(isTaken)
            try await bench.until { reply != nil }
            // A registration that seals is told so with 400 where the body is plain, as it is here.
            #expect(reply?.status == (target.isReal ? 400 : 200))
        }

        @Test("A token that is refused is not tried again at once")
        @LoopActor func badToken() async throws {
            let target = try await Target()
            let bench = ChannelBench(target, token: "wrong")
            defer { bench.channel.shutdown() }
            try await bench.until { bench.channel.session.problem != nil }
            guard case .waiting(let until) = bench.channel.session.state else {
                Issue.record("\(bench.channel.session.state)")
                return
            }
            #expect(until > SystemClock.now().uptime + 500)
            let next = ChannelBench(target)
            defer { next.channel.shutdown() }
            try await next.until { next.isOpen }
        }

        @Test("A relayed notification is not shown again when the socket brings it")
        @LoopActor func relayed() async throws {
            let target = try await Target()
            let bench = ChannelBench(target)
            defer { bench.channel.shutdown() }
            let body = Array(#"{"message":"r","hass_confirm_id":"c","push_token":"t"}"#.utf8)
            let payload = try #require(RelayedPost(body).payload)
            #expect(bench.channel.relay(payload, from: .direct))
            #expect(!bench.channel.relay(payload, from: .direct))
            #expect(bench.texts == ["r"])
        }

        @Test(
            "A socket that drops is opened again")
        @LoopActor func heals() async throws {
            let target = try await Target()
            guard !target.isReal else { return }
            let bench = ChannelBench(target)
            defer { bench.channel.shutdown() }
            try await bench.until { bench.isOpen }
            _ = try await target.fake("drop")
            try await bench.until { !bench.isOpen }
            try await bench.until { bench.isOpen }
            try await target.notify(#"{"message":"after the drop"}"#)
            try await bench.until { bench.texts == ["after the drop"] }
        }
    }
}
