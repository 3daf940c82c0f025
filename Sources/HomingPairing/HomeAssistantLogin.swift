internal import HomingHTTP
internal import HomingJSON
internal import HomingRegistration
internal import HomingRuntime

/// Home Assistant's side of a login over HTTP (homeassistant/components/auth).
@LoopActor struct HomeAssistantLogin {
    let http: HTTPClient
    /// Home Assistant's address without a slash at its end.
    let base: String

    /// Whether a Home Assistant is there that people can log in to, and whether logins take PKCE.
    func inspect() async -> Result<Bool, PairingTrouble> {
        let response: HTTPResponse
        switch await http.response(to: HTTPRequest(url: "\(base)/auth/providers")) {
        case .failure(let failure): return .failure(trouble(failure))
        case .success(let answer): response = answer
        }
        let body = JSONValue(json: response.body)
        // A bare list in older versions.
        if response.status == 200, case .array(let providers)? = body?["providers"] ?? body,
            providers.allSatisfy({ $0["type"]?.string != nil })
        {
            return .success(await advertisesPKCE())
        }
        return .failure(trouble(response))
    }

    private func advertisesPKCE() async -> Bool {
        let url = "\(base)/.well-known/oauth-authorization-server"
        guard case .success(let response) = await http.response(to: HTTPRequest(url: url)),
            let metadata = JSONValue(json: response.body)
        else { return false }
        return metadata["code_challenge_methods_supported"]?.elements.contains(.string("S256"))
            ?? false
    }

    /// Swaps the code for tokens.
    func exchange(
        code: String, login: LoginAttempt
    ) async -> Result<LoginTokens, PairingTrouble> {
        var form = [
            (name: "grant_type", value: "authorization_code"), ("code", code),
            ("client_id", login.clientID),
        ]
        if let verifier = login.verifier { form.append(("code_verifier", verifier)) }
        switch await http.response(to: .form("\(base)/auth/token", form)) {
        case .failure(let failure): return .failure(trouble(failure))
        case .success(let response):
            guard response.status == 200,
                let tokens = try? JSON.decode(LoginTokens.self, from: response.body)
            else {
                return .failure(
                    PairingTrouble(
                        .login, "Home Assistant refuses this login (\(response.status))",
                        hint: "a code works once, within ten minutes: log in again"))
            }
            return .success(tokens)
        }
    }

    private func trouble(_ failure: HTTPFailure) -> PairingTrouble {
        let reason = RegistrationFailure.unreachable(base: base, failure)
        return PairingTrouble(.unreachable, reason.message, hint: reason.hint)
    }

    private func trouble(_ response: HTTPResponse) -> PairingTrouble {
        if JSONValue(json: response.body)?["code"]?.string == "onboarding_required" {
            return PairingTrouble(
                .refused, "this Home Assistant has no user yet",
                hint: "open \(base) in a browser, make the first user, and try again")
        }
        let reason = RegistrationFailure(answer: response)
        return PairingTrouble(.address, reason.message, hint: reason.hint)
    }
}

/// Tokens that a login gives.
struct LoginTokens: Decodable, Sendable {
    /// Token for half an hour.
    var accessToken: String
    /// Until it is revoked; good with the login's client id only.
    var refreshToken: String
}
