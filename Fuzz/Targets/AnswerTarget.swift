internal import HomingCrypto
import HomingDelivery
internal import HomingHTTP
internal import HomingRuntime
internal import HomingTestKit

@testable internal import HomingAgent
@testable internal import HomingRoutes

/// Answers of a server in between, from the status line on. A server that has not our key is never
/// taken for Home Assistant.
final class AnswerTarget: FuzzTarget {
    static let name = "answer"
    private let server: Loopback
    private let transport: WebhookTransport
    private let endpoint: Endpoint
    /// An object keeps the table of its weak references where the leak sanitizer does not see it; a
    /// weak reference shows the table.
    private weak var http: HTTPClient?
    private weak var shownTransport: WebhookTransport?

    init() throws {
        server = try Loopback()
        let secret = faultIsPlanted ? nil : RandomToken.hex(bytes: SecretKey.size)
        let http = HTTPClient(userAgent: "Homing")
        self.http = http
        transport = try WebhookTransport(
            TransportParts(
                http: http, registration: Samples.registration(secret: secret), outboxID: "outbox",
                socket: SocketCarrier(clock: SystemClock()) { nil }))
        shownTransport = transport
        endpoint = Endpoint(
            kind: .instance, webhookURL: "http://127.0.0.1:\(server.port)/api/webhook/x",
            isAuthentic: true)
        // Whatever libcurl keeps of one answer is there for the next.
        try run(Array("\0HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 2\r\n\r\n{}".utf8))
    }

    /// The first byte chooses the request, the rest is sent in answer.
    func run(_ input: [UInt8]) throws {
        var reader = ByteReader(input)
        let requests = Samples.requests
        let request = requests[reader.index(below: requests.count)]
        server.serve(reader.remainder())
        var answers: [Answer] = []
        transport.sendRequest(request, endpoint) { answers.append($0) }
        Loop.turn { !answers.isEmpty }
        transport.dropConnections()
        server.reset()
        require(answers.count == 1, "\(answers.count) answers")
        for answer in answers { check(answer, to: request) }
    }

    private func check(_ answer: Answer, to request: Request) {
        switch answer {
        case .configuration, .zones, .receipt, .sensors, .sensorRegistered, .sensorUnknownHere:
            require(false, "a stranger is believed")
        case .taken:
            require(request.expectation == .nothing, "\(answer) is no answer to a question")
        case .empty, .refused:
            require(request.expectation != .reply, "\(answer) is no answer to a question")
        case .failed(.busy(let seconds)): require(1...3600 ~= seconds, "rests \(seconds) s")
        case .failed, .gone: break
        }
    }
}
