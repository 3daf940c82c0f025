public import HomeAssistantAPI
public import HomingHTTP
internal import HomingJSON
public import HomingRuntime

/// Has Home Assistant forget a token that Homing made.
@LoopActor public enum TokenRevocation {
    /// Reason for people why a token stays, although Home Assistant was asked.
    public nonisolated static let failureText = "Home Assistant did not revoke the token"

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
            await WebSocketRequest.run(
                base: base, token: authorization.token, patience: 15, failure: false, http: http
            ) { step($0, $1) }
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
        let request = HTTPRequest.form("\(base)/auth/revoke", [("token", token)])
        guard case .success(let response) = await http.response(to: request) else { return false }
        return response.status == 200
    }

    /// A long-lived token is revoked by its id, which Home Assistant tells who is signed in with it.
    private static func step(
        _ message: WebSocketMessage, _ json: JSONValue
    ) -> WebSocketRequest<Bool>.Step? {
        switch message {
        case .authOK:
            return .send(Array(#"{"id":1,"type":"auth/refresh_tokens"}"#.utf8), orElse: false)
        case .done(1, _):
            guard let id = current(in: json) else { return .end(false) }
            let command =
                #"{"id":2,"type":"auth/delete_refresh_token","refresh_token_id":"\#(id)"}"#
            // With its token goes the connection.
            return .send(Array(command.utf8), orElse: true)
        case .authInvalid, .done(2, _): return .end(true)
        case .refused: return .end(false)
        default: return nil
        }
    }

    /// The id of the token that this connection is signed in with.
    static func current(in message: JSONValue) -> String? {
        let tokens = message["result"]?.elements ?? []
        let id = tokens.first { $0["is_current"]?.isTrue == true }?["id"]?.text
        return id?.isMade(of: ASCII.letters + ASCII.digits + "-") == true ? id : nil
    }
}

extension Registration {
    /// The tokens that Homing made for this registration and those before it.
    public var ownTokens: [Authorization] {
        (retired ?? []) + [authorization].compactMap { $0 }.filter { $0.isOwn == true }
    }

    /// The titles of these tokens, between quotes; `nil` where a title is not known.
    public var ownTokenTitles: String? {
        let titles = ownTokens.compactMap(\.title)
        guard !titles.isEmpty, titles.count == ownTokens.count else { return nil }
        return listed(titles.map { "\"\($0)\"" }, "and")
    }
}
