internal import FoundationEssentials
public import HomeAssistantAPI
internal import HomingCore
public import HomingRuntime
public import HomingTransport

/// A token that opens Home Assistant now, made of what the registration keeps: a long-lived one is
/// that; a refresh token is swapped for one of half an hour
/// (homeassistant/components/auth/__init__.py).
@LoopActor public enum AccessToken {
    private struct Grant: Decodable {
        var token: String

        private enum CodingKeys: String, CodingKey { case token = "access_token" }
    }

    /// - Parameter base: Home Assistant's address without a slash at its end.
    public static func current(
        _ authorization: Registration.Authorization, base: String, http: HTTPClient
    ) async -> Result<String, RegistrationFailure> {
        guard authorization.kind == .refresh else { return .success(authorization.token) }
        let form =
            "grant_type=refresh_token&refresh_token=\(LoginAttempt.escaped(authorization.token))"
            + "&client_id=\(LoginAttempt.escaped(authorization.clientID ?? ""))"
        let request = HTTPRequest(
            url: "\(base)/auth/token", method: .post, body: Array(form.utf8),
            contentType: "application/x-www-form-urlencoded")
        switch await http.response(to: request) {
        case .failure(let failure):
            return .failure(.unreachable(host: WebAddress(base)?.host ?? base, failure))
        case .success(let response):
            guard response.status == 200,
                let grant = try? JSONDecoder().decode(Grant.self, from: Data(response.body))
            else { return .failure(.unauthorized) }
            return .success(grant.token)
        }
    }
}
