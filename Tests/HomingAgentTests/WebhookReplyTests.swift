import HomingCrypto
import HomingDelivery
import HomingJSON
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent
@testable import HomingHTTP
@testable import HomingRoutes

/// Meaning of a webhook's answer to a direct command.
@Suite struct WebhookReplyTests {
    init() { LoopThread.start() }

    private static let secret = String(repeating: "ab", count: 32)

    @Test(
        "A sealed answer that is no JSON within the limits ends a command that must not run twice",
        arguments: [
            "<html>", String(repeating: "[", count: 100) + String(repeating: "]", count: 100),
        ])
    @LoopActor func unreadable(text: String) throws {
        let http = HTTPClient(userAgent: "Homing/tests")
        defer { http.shutdown() }
        let transport = try WebhookTransport(
            TransportParts(
                http: http,
                registration: HomeRig.registration("http://h:8123", secret: Self.secret),
                outboxID: "o", socket: SocketCarrier(clock: SystemClock()) { nil }))
        let sealed = SecretBox(key: try SecretKey(hexadecimal: Self.secret)).seal(Array(text.utf8))
        let body = #"{"encrypted":true,"encrypted_data":"\#(sealed)"}"#
        let reply = transport.reply(
            HTTPResponse(status: 200, body: Array(body.utf8), retryAfter: nil, isReused: false))
        let endpoints = [Endpoint.Kind.cloudhook, .instance].map {
            Endpoint(kind: $0, webhookURL: "https://\($0.rawValue)", isAuthentic: true)
        }
        var call = DirectCall<JSONValue>(
            endpoints: endpoints, expectsReply: true, isRepeatable: false)
        _ = call.begin()
        #expect(call.replied(reply) == .finish(.answered(.null)))
    }
}
