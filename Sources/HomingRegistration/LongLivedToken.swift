internal import HomeAssistantAPI
public import HomingHTTP
internal import HomingJSON
internal import HomingRuntime

/// Asks Home Assistant for a long-lived access token over its WebSocket, so that nobody need make
/// one by hand (`auth/long_lived_access_token`, homeassistant/components/auth/__init__.py).
public enum LongLivedToken {
    /// The token, or `nil` where Home Assistant gives none: a user has one of that name, or it does
    /// not answer.
    ///
    /// - Parameters:
    ///   - accessToken: of a login, or another lasting token.
    ///   - name: what the token is called in the user's profile; each name can be given once.
    @LoopActor public static func request(
        base: String, accessToken: String, name: String, http: HTTPClient
    ) async -> String? {
        await WebSocketRequest<String?>.run(
            base: base, token: accessToken, patience: 20, failure: nil, http: http
        ) { message, json in
            switch message {
            case .authOK: .send(command(name: name), orElse: nil)
            case .done: .end(token(in: json))
            case .authInvalid, .refused: .end(nil)
            default: nil
            }
        }
    }

    /// The command on the wire. Home Assistant's own tokens live for ten years too.
    static func command(name: String) -> [UInt8] {
        let command = JSONValue.object([
            "id": .whole(1), "type": .string("auth/long_lived_access_token"),
            "client_name": .string(name), "lifespan": .whole(3650),
        ])
        return Array(command.json().utf8)
    }

    /// The token in its answer.
    static func token(in message: JSONValue) -> String? {
        message["result"]?.string
    }
}
