public import HomeAssistantAPI
internal import HomingBase
public import HomingHTTP
internal import HomingJSON
public import HomingRuntime

/// Has Home Assistant forget a token that Homing made.
@LoopActor public final class TokenRevocation {
    /// Seconds for all of it.
    private static let patience: Seconds = 15

    private let token: String
    private let completion: @LoopActor (Bool) -> Void
    private var socket: WebSocket?
    private var deadline: Watch?
    private var isDone = false
    private var hasAsked = false

    /// Whether Home Assistant has forgotten the token. The token is sent to this address: the caller
    /// has made sure that it may be.
    ///
    /// - Parameter base: Home Assistant's address without a slash at its end.
    public static func revoke(
        _ authorization: Registration.Authorization, base: String, http: HTTPClient
    ) async -> Bool {
        switch authorization.kind {
        case .refresh: await revoke(refresh: authorization.token, base, http)
        case .longLived:
            await withCheckedContinuation { continuation in
                let revocation = TokenRevocation(authorization.token) {
                    continuation.resume(returning: $0)
                }
                revocation.start(base, http)
            }
        }
    }

    /// Revokes these tokens. Returns whether Home Assistant has forgotten all of them.
    public static func revoke(
        all authorizations: [Registration.Authorization], base: String, http: HTTPClient
    ) async -> Bool {
        var isDone = true
        for authorization in authorizations {
            isDone = await revoke(authorization, base: base, http: http) && isDone
        }
        return isDone
    }

    /// Home Assistant answers 200 to any token (RFC 7009).
    private static func revoke(
        refresh token: String, _ base: String, _ http: HTTPClient
    ) async -> Bool {
        let request = HTTPRequest(
            url: "\(base)/auth/revoke", method: .post,
            body: Array("token=\(token.percentEncoded)".utf8),
            contentType: "application/x-www-form-urlencoded")
        guard case .success(let response) = await http.response(to: request) else { return false }
        return response.status == 200
    }

    private init(_ token: String, completion: @escaping @LoopActor (Bool) -> Void) {
        self.token = token
        self.completion = completion
    }

    /// The socket keeps this object for as long as it is open.
    private func start(_ base: String, _ http: HTTPClient) {
        deadline = Watch.once(after: Self.patience) { [weak self] in self?.end(false) }
        socket = WebSocket("\(base)/api/websocket", over: http) { event in self.handle(event) }
    }

    private func handle(_ event: WebSocket.Event) {
        switch event {
        case .text(let text): read(text)
        // With its token goes the connection.
        case .ended: end(hasAsked)
        default: break
        }
    }

    /// A long-lived token is revoked by its id, which Home Assistant tells who is signed in with it.
    private func read(_ text: [UInt8]) {
        switch WebSocketMessage(text) {
        case .authRequired:
            socket?.send(WebSocketCommand.authenticate(token: token).message(id: 0))
        case .authOK: socket?.send(Array(#"{"id":1,"type":"auth/refresh_tokens"}"#.utf8))
        case .authInvalid: end(true)
        case .done(1, _):
            guard let id = Self.current(in: text) else { return end(false) }
            hasAsked = true
            let command =
                #"{"id":2,"type":"auth/delete_refresh_token","refresh_token_id":"\#(id)"}"#
            socket?.send(Array(command.utf8))
        case .done(2, _): end(true)
        case .refused: end(false)
        default: break
        }
    }

    /// The id of the token that this connection is signed in with.
    static func current(in text: [UInt8]) -> String? {
        let tokens = JSONValue(json: text)?["result"]?.elements ?? []
        let id = tokens.first { $0["is_current"]?.isTrue == true }?["id"]?.text
        let isPlain = id?.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        return isPlain == true ? id : nil
    }

    private func end(_ isRevoked: Bool) {
        guard !isDone else { return }
        isDone = true
        deadline = nil
        socket?.close()
        socket = nil
        completion(isRevoked)
    }
}

extension Registration {
    /// The tokens that Homing made for this registration and those before it.
    public var ownTokens: [Authorization] {
        (retired ?? []) + [authorization].compactMap { $0 }.filter { $0.isOwn == true }
    }
}
