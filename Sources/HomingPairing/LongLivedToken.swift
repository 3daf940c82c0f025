internal import HomeAssistantAPI
internal import HomingBase
public import HomingHTTP
internal import HomingJSON
public import HomingRuntime

/// Asks Home Assistant for a long-lived access token over its WebSocket, so that nobody need make
/// one by hand (`auth/long_lived_access_token`, homeassistant/components/auth/__init__.py).
@LoopActor public final class LongLivedToken {
    /// Home Assistant's own tokens live for ten years too.
    private static let lifespan = 3650
    /// Seconds for all of it.
    private static let patience: Seconds = 20

    private let accessToken: String
    private let name: String
    private let completion: @LoopActor (String?) -> Void
    private var socket: WebSocket?
    private var deadline: Watch?
    private var isDone = false

    /// The token, or `nil` where Home Assistant gives none: a user has one of that name, or it does
    /// not answer.
    ///
    /// - Parameters:
    ///   - accessToken: of the login.
    ///   - name: what the token is called in the user's profile; each name can be given once.
    public static func request(
        base: String, accessToken: String, name: String, http: HTTPClient
    ) async -> String? {
        await withCheckedContinuation { continuation in
            let request = LongLivedToken(accessToken, name) { continuation.resume(returning: $0) }
            request.start(base, http)
        }
    }

    private init(
        _ accessToken: String, _ name: String, completion: @escaping @LoopActor (String?) -> Void
    ) {
        self.accessToken = accessToken
        self.name = name
        self.completion = completion
    }

    /// The socket keeps this object for as long as it is open.
    private func start(_ base: String, _ http: HTTPClient) {
        deadline = Watch.once(after: Self.patience) { [weak self] in self?.end(nil) }
        socket = WebSocket("\(base)/api/websocket", over: http) { event in self.handle(event) }
    }

    private func handle(_ event: WebSocket.Event) {
        switch event {
        case .text(let text): read(text)
        case .ended: end(nil)
        default: break
        }
    }

    private func read(_ text: [UInt8]) {
        switch WebSocketMessage(text) {
        case .authRequired:
            socket?.send(WebSocketCommand.authenticate(token: accessToken).message(id: 0))
        case .authOK: socket?.send(LongLivedTokenMessages.command(name: name, days: Self.lifespan))
        case .done: end(LongLivedTokenMessages.token(in: text))
        case .authInvalid, .refused: end(nil)
        default: break
        }
    }

    private func end(_ token: String?) {
        guard !isDone else { return }
        isDone = true
        deadline = nil
        socket?.close()
        socket = nil
        completion(token)
    }
}

/// The command on the wire, and its answer.
enum LongLivedTokenMessages {
    private struct Command: Encodable {
        let id = 1
        let type = "auth/long_lived_access_token"
        let clientName: String
        let lifespan: Int

        private enum CodingKeys: String, CodingKey {
            case id
            case type
            case clientName = "client_name"
            case lifespan
        }
    }

    private struct Answer: Decodable { var result: String }

    static func command(name: String, days: Int) -> [UInt8] {
        (try? JSON.bytes(Command(clientName: name, lifespan: days))) ?? []
    }

    static func token(in message: [UInt8]) -> String? {
        try? JSON.decode(Answer.self, from: message).result
    }
}
