import HomingBase
import HomingDelivery
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent
@testable import HomingHTTP
@testable import HomingRoutes

/// Messages to a webhook that name the type of their body and the program.
@Suite struct FullHeadTests {
    init() { LoopThread.start() }

    private static let type = "Content-Type: application/json"
    private static let name = "User-Agent: Homing"

    private static func endpoint(_ kind: Endpoint.Kind, _ url: String) -> Endpoint {
        Endpoint(kind: kind, webhookURL: url, isAuthentic: true)
    }

    @Test("The cloudhook gets full heads, and the others short heads until they refuse one")
    func kinds() {
        var heads = FullHeads()
        let (instance, remote) = (
            Self.endpoint(.instance, "https://a/w"), Self.endpoint(.remoteUI, "https://b/w")
        )
        #expect(heads.isWanted(by: Self.endpoint(.cloudhook, "https://c/w")))
        #expect(!heads.isWanted(by: instance) && !heads.isWanted(by: remote))
        func answer(
            _ status: Int, _ body: String = "", retryAfter: Seconds? = nil
        ) -> WebhookAnswer {
            WebhookAnswer(
                status: status, body: Array(body.utf8), retryAfter: retryAfter,
                onNewConnection: false)
        }
        for status in [200, 201, 400, 401, 404, 410, 413, 429, 500, 502, 503] {
            let isRefusal = heads.isRefusal(answer(status, "{}"), by: instance)
            #expect(!isRefusal, "\(status)")
        }
        // Proxies say in pages that nobody is behind them.
        let isAway = heads.isRefusal(answer(502, "<html>"), by: instance)
        #expect(!isAway)
        for limit in [answer(403, retryAfter: 60), answer(200, "<html>", retryAfter: 60)] {
            let isRefusal = heads.isRefusal(limit, by: instance)
            #expect(!isRefusal && !heads.isWanted(by: instance))
        }
        for refusal in [answer(403), answer(406), answer(415), answer(200, "\r\n <!DOCTYPE html>")]
        {
            var heads = FullHeads()
            let isRefusal = heads.isRefusal(refusal, by: instance)
            #expect(isRefusal, "\(refusal.status)")
            #expect(heads.isWanted(by: instance))
            #expect(!heads.isWanted(by: remote), "another endpoint")
        }
    }

    /// A webhook that answers each head as a test says.
    private final class Server: PlayedPort {
        private(set) var heads: [String] = []
        private let status: @LoopActor (String) -> Int
        private let body: @LoopActor (String) -> String

        init(
            _ status: @escaping @LoopActor (String) -> Int = { _ in 200 },
            body: @escaping @LoopActor (String) -> String = { _ in "{}" }
        ) throws {
            self.status = status
            self.body = body
            try super.init()
        }

        override func heard(_ client: Int32) {
            let text = String(decoding: said(by: client), as: UTF8.self)
            // The bodies of these messages are small and come with their heads.
            taken(of: client)
            heads.append(text)
            let body = body(text)
            say(
                "HTTP/1.1 \(status(text)) X\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)",
                to: client)
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

    @Test(
        "A firewall that wants a full head gets one from the first refusal on",
        arguments: [type, name])
    @LoopActor func firewall(field: String) async throws {
        let server = try Server { $0.contains(field) ? 200 : 403 }
        let answers = try await answers(server, .instance, 3)
        #expect(server.heads.map { $0.contains(field) } == [false, true, true, true])
        // The repeated message goes over the same connection, which still counts as new.
        #expect(
            answers == [
                .taken(onNewConnection: true), .taken(onNewConnection: false),
                .taken(onNewConnection: false),
            ])
    }

    @Test("A firewall that answers a short head with a page gets full heads from then on")
    @LoopActor func page() async throws {
        let server = try Server(body: { $0.contains(Self.name) ? "{}" : "<html>a riddle</html>" })
        let answers = try await answers(server, .instance, 2)
        #expect(server.heads.map { $0.contains(Self.name) } == [false, true, true])
        #expect(
            answers == [.taken(onNewConnection: true), .taken(onNewConnection: false)])
    }

    @Test("A portal answers each head with its page, and gets short heads first")
    @LoopActor func portal() async throws {
        let server = try Server(body: { _ in "<html>log in</html>" })
        let answers = try await answers(server, .instance, 2)
        #expect(server.heads.map { $0.contains(Self.name) } == [false, true, false, true])
        for answer in answers {
            guard case .failed = answer else { return #expect(Bool(false), "\(answer)") }
        }
    }

    @Test("What refuses a full head too is asked once for each message")
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
                == ["Host", "Content-Length"])
    }
}
