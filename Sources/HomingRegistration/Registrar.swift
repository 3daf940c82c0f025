internal import HomeAssistantAPI
internal import HomingBase
internal import HomingCrypto
internal import HomingHTTP
internal import HomingJSON
public import HomingRuntime

/// Registers this machine with Home Assistant's mobile_app (POST /api/mobile_app/registrations).
@LoopActor public struct Registrar {
    let http: HTTPClient
    /// Home Assistant's address.
    let base: String
    /// An access token.
    let token: String

    /// Registers and returns what binds us to that Home Assistant, without what opens it; nothing is
    /// stored here.
    ///
    /// - Parameter relay: told to Home Assistant together with the rest.
    func register(
        _ device: DeviceDescription, _ relay: PushRelay?, allowUnencrypted: Bool
    ) async throws(RegistrationFailure) -> Registration {
        // Anything else would break the request's header.
        guard !token.isEmpty, token.isVisibleASCII else { throw .badToken }
        let body = RegistrationRequest(appVersion: homingVersion, device: device, relay: relay)
        guard let json = try? JSON.bytes(body, names: .snakeCase) else { throw .badURL(base) }
        let request = HTTPRequest(
            url: "\(base)/api/mobile_app/registrations", method: .post, body: json,
            bearerToken: token)
        switch await http.response(to: request) {
        case .failure(let failure):
            throw .unreachable(base: base, failure)
        case .success(let response) where response.status == 201:
            return try accepted(response, device, allowUnencrypted: allowUnencrypted)
        case .success(let response): throw await refusal(response)
        }
    }

    /// The address to use, as a person typed it, if a token may go there: by default in the clear to
    /// hosts of a local network alone.
    nonisolated static func base(
        of url: String, allowPlainHTTP: Bool
    ) throws(RegistrationFailure) -> String {
        guard let base = Self.baseURL(url), let address = WebAddress(base) else {
            throw .badURL(url)
        }
        guard address.isTLS || address.isPrivate || allowPlainHTTP else {
            throw .plainHTTP(host: address.host)
        }
        return base
    }

    private func accepted(
        _ response: HTTPResponse, _ device: DeviceDescription, allowUnencrypted: Bool
    ) throws(RegistrationFailure) -> Registration {
        guard let reply = try? JSON.decode(RegistrationReply.self, from: response.body),
            Self.isUsable(reply)
        else { throw .notHomeAssistant(status: response.status) }
        guard reply.secret != nil || allowUnencrypted else { throw .noSecret }
        return Registration(
            instanceURL: base, cloudhookURL: reply.cloudhookURL, remoteUIURL: reply.remoteUIURL,
            webhookID: reply.webhookID, secret: reply.secret, deviceID: device.id,
            deviceName: device.name, homeNetworks: [], authorization: nil)
    }

    /// A secret that is a key, and an id that fits into a URL.
    static func isUsable(_ reply: RegistrationReply) -> Bool {
        guard reply.webhookID.isMade(of: ASCII.letters + ASCII.digits + "-_", 1...Bound.name),
            [reply.cloudhookURL, reply.remoteUIURL].allSatisfy({
                $0?.utf8.count ?? 0 <= Bound.address
            })
        else { return false }
        return reply.secret.map { (try? SecretKey(hexadecimal: $0)) != nil } ?? true
    }

    /// Returns the failure that an answer other than 201 means.
    private func refusal(_ response: HTTPResponse) async -> RegistrationFailure {
        switch response.status {
        case 401: return .unauthorized
        case 404:
            let isHomeAssistant = await answersAsHomeAssistant()
            return isHomeAssistant ? .mobileAppMissing : .notHomeAssistant(status: 404)
        default: return RegistrationFailure(answer: response)
        }
    }

    /// `GET /api/` answers `{"message":"API running."}` (homeassistant/components/api).
    private func answersAsHomeAssistant() async -> Bool {
        let request = HTTPRequest(url: "\(base)/api/", method: .get, bearerToken: token)
        guard case .success(let response) = await http.response(to: request) else { return false }
        let message = JSONValue(json: response.body)?["message"]
        return response.status == 200 && message == .string("API running.")
    }

    /// The address without a slash at its end; a bare host gets `http://` in front. `nil` if the text is no
    /// address, or holds a user or a password.
    public nonisolated static func baseURL(_ text: String) -> String? {
        var url = text.withoutEndingSlashes
        if !url.holds("://") { url = "http://\(url)" }
        guard url.isVisibleASCII, !url.contains("?"), !url.contains("#"),
            !WebAddress.holdsLogin(url)
        else { return nil }
        return url
    }
}
