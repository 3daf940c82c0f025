public import HomeAssistantAPI
public import HomingHTTP
internal import HomingJSON
public import HomingRuntime

/// A token that opens Home Assistant now, made of what the registration keeps: a long-lived one is
/// that; a refresh token is swapped for one of half an hour
/// (homeassistant/components/auth/__init__.py).
@LoopActor public enum AccessToken {
    /// - Parameter base: Home Assistant's address without a slash at its end.
    public static func current(
        _ authorization: Registration.Authorization, base: String, http: HTTPClient
    ) async -> Result<String, RegistrationFailure> {
        guard authorization.kind == .refresh else { return .success(authorization.token) }
        let request = HTTPRequest.form(
            "\(base)/auth/token",
            [
                ("grant_type", "refresh_token"), ("refresh_token", authorization.token),
                ("client_id", authorization.clientID ?? ""),
            ])
        switch await http.response(to: request) {
        case .failure(let failure):
            return .failure(.unreachable(base: base, failure))
        case .success(let response):
            return grant(response)
        }
    }

    /// Reads Home Assistant's answer to the exchange of a refresh token.
    nonisolated static func grant(_ response: HTTPResponse) -> Result<String, RegistrationFailure> {
        switch response.status {
        case 200:
            let token = JSONValue(json: response.body)?["access_token"]?.string
            return token?.whole(within: Bound.token).map { .success($0) }
                ?? .failure(.notHomeAssistant(status: 200))
        // Each try counts towards Home Assistant's ban of a host. A proxy gives no such error.
        case 400 where JSONValue(json: response.body)?["error"] != nil:
            return .failure(.unauthorized)
        default: return .failure(RegistrationFailure(answer: response))
        }
    }
}
