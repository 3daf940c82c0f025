import HomingBase
import HomingDelivery
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent
@testable import HomingHTTP
@testable import HomingRoutes

/// Messages to a webhook that name the type of their body.
@Suite struct ContentTypeTests {
    init() { LoopThread.start() }

    private static let type = "Content-Type: application/json"

    private static func endpoint(_ kind: Endpoint.Kind, _ url: String) -> Endpoint {
        Endpoint(kind: kind, webhookURL: url, isAuthentic: true)
    }

    @Test("The cloudhook gets a type, and the others get none until they refuse a message for it")
    func kinds() {
        var types = ContentTypes()
        let (instance, remote) = (
            Self.endpoint(.instance, "https://a/w"), Self.endpoint(.remoteUI, "https://b/w")
        )
        #expect(types.type(for: Self.endpoint(.cloudhook, "https://c/w")) == "application/json")
        #expect(types.type(for: instance) == nil && types.type(for: remote) == nil)
        func answer(_ status: Int, retryAfter: Seconds? = nil) -> WebhookAnswer {
            WebhookAnswer(status: status, body: [], retryAfter: retryAfter, onNewConnection: false)
        }
        for status in [200, 201, 400, 401, 404, 410, 413, 429, 500, 502, 503] {
            let isRefusal = types.isRefusal(answer(status), by: instance)
            #expect(!isRefusal, "\(status)")
        }
        let isLimit = types.isRefusal(answer(403, retryAfter: 60), by: instance)
        #expect(!isLimit && types.type(for: instance) == nil)
        for status in [403, 406, 415] {
            var types = ContentTypes()
            let isRefusal = types.isRefusal(answer(status), by: instance)
            #expect(isRefusal, "\(status)")
            #expect(types.type(for: instance) == "application/json")
            #expect(types.type(for: remote) == nil, "another endpoint")
        }
    }

    /// A webhook that answers each head as a test says.
    private final class Server: PlayedPort {
        private(set) var heads: [String] = []
        private let status: @LoopActor (String) -> Int

        init(_ status: @escaping @LoopActor (String) -> Int) throws {
            self.status = status
            try super.init()
        }

        override func heard(_ client: Int32) {
            let text = String(decoding: said(by: client), as: UTF8.self)
            // The bodies of these messages are small and come with their heads.
            taken(of: client)
            heads.append(text)
            say("HTTP/1.1 \(status(text)) X\r\nContent-Length: 2\r\n\r\n{}", to: client)
        }
    }

    /// Sends so many messages of locations, and returns what the transport takes each answer for.
    @LoopActor private func answers(_ server: Server, _ kind: Endpoint.Kind, _ count: Int)
        async throws -> [Answer]
    {
        let http = HTTPClient(userAgent: "Homing")
        defer { http.shutdown() }
        let transport = try WebhookTransport(
            TransportParts(
                http: http, registration: HomeRig.registration(server.url, secret: nil),
                outboxID: "o", socket: SocketCarrier(clock: SystemClock()) { nil }))
        let endpoint = Self.endpoint(kind, "\(server.url)/api/webhook/w")
        var answers: [Answer] = []
        for _ in 0..<count {
            var answer: Answer?
            transport.sendRequest(.track([]), endpoint) { answer = $0 }
            for _ in 0..<500 where answer == nil { await Watch.pause(0.01) }
            answers.append(try #require(answer))
        }
        return answers
    }

    @Test("A firewall that wants a type gets one from the first refusal on")
    @LoopActor func firewall() async throws {
        let server = try Server { $0.contains(Self.type) ? 200 : 403 }
        let answers = try await answers(server, .instance, 3)
        #expect(server.heads.map { $0.contains(Self.type) } == [false, true, true, true])
        // The repeated message goes over the same connection, which still counts as new.
        #expect(
            answers == [
                .taken(onNewConnection: true), .taken(onNewConnection: false),
                .taken(onNewConnection: false),
            ])
    }

    @Test("What refuses a message with a type too is asked once for each message")
    @LoopActor func refusal() async throws {
        let server = try Server { _ in 403 }
        let answers = try await answers(server, .instance, 2)
        #expect(server.heads.count == 3)
        #expect(answers == Array(repeating: .failed(.unauthorized(status: 403)), count: 2))
    }

    @Test("A head has what is needed, and no more")
    @LoopActor func head() async throws {
        let server = try Server { _ in 200 }
        _ = try await answers(server, .instance, 1)
        let head = try #require(server.heads.first?.firstRange(of: "\r\n\r\n")).lowerBound
        #expect(
            server.heads[0][..<head].split(separator: "\r\n").map { $0.prefix { $0 != ":" } }
                .dropFirst()
                == ["Host", "User-Agent", "Content-Length"])
    }
}
