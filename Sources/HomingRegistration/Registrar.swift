internal import HomeAssistantAPI
internal import HomingCrypto
internal import HomingHTTP
internal import HomingJSON
internal import HomingRuntime

/// Registers this machine with Home Assistant's mobile_app (POST /api/mobile_app/registrations).
@LoopActor struct Registrar {
    let http: HTTPClient

    /// What a person chose.
    struct Options: Sendable {
        var allowUnencrypted: Bool
        /// Send the token in the clear to a host that is not on a local network.
        var allowPlainHTTP: Bool
    }

    /// Registers and returns what binds us to that Home Assistant; nothing is stored here.
    ///
    /// - Parameters:
    ///   - url: as a person types it: Home Assistant's address, with or without a slash at the end.
    ///   - token: a long-lived access token.
    ///   - relay: told to Home Assistant together with the rest.
    func register(
        url: String, token: String, device: DeviceDescription, version: String, options: Options,
        relay: PushRelay? = nil
    ) async throws(RegistrationFailure) -> Registration {
        let base = try base(of: url, options)
        guard let address = WebAddress(base) else { throw .badURL(url) }
        // Anything else would break the request's header.
        guard !token.isEmpty, token.isVisibleASCII else { throw .badToken }
        let body = RegistrationRequest(appVersion: version, device: device, relay: relay)
        guard let json = try? JSON.bytes(body, names: .snakeCase) else { throw .badURL(url) }
        let request = HTTPRequest(
            url: "\(base)/api/mobile_app/registrations", method: .post, body: json,
            bearerToken: token)
        switch await http.response(to: request) {
        case .failure(let failure): throw .unreachable(host: address.host, failure)
        case .success(let response) where response.status == 201:
            return try accepted(response, base, token, device, options)
        case .success(let response):
            throw await refusal(response, base: base, address: address, token: token)
        }
    }

    /// The address to use, if a token may go there.
    func base(of url: String, _ options: Options) throws(RegistrationFailure) -> String {
        guard let base = Self.baseURL(url), let address = WebAddress(base) else {
            throw .badURL(url)
        }
        guard address.isTLS || address.isPrivate || options.allowPlainHTTP else {
            throw .plainHTTP(host: address.host)
        }
        return base
    }

    private func accepted(
        _ response: HTTPResponse, _ base: String, _ token: String, _ device: DeviceDescription,
        _ options: Options
    ) throws(RegistrationFailure) -> Registration {
        guard let reply = try? JSON.decode(RegistrationReply.self, from: response.body),
            Self.isUsable(reply)
        else { throw .notHomeAssistant(status: response.status) }
        guard reply.secret != nil || options.allowUnencrypted else { throw .noSecret }
        return Registration(
            instanceURL: base, cloudhookURL: reply.cloudhookURL, remoteUIURL: reply.remoteUIURL,
            webhookID: reply.webhookID, secret: reply.secret, deviceID: device.id,
            deviceName: device.name, homeNetworks: [],
            authorization: Registration.Authorization(kind: .longLived, token: token))
    }

    /// A secret that is a key, and an id that fits into a URL.
    static func isUsable(_ reply: RegistrationReply) -> Bool {
        guard reply.webhookID.isMade(of: letters + digits + "-_", 1...Bound.name),
            [reply.cloudhookURL, reply.remoteUIURL].allSatisfy({
                $0?.utf8.count ?? 0 <= Bound.address
            })
        else { return false }
        return reply.secret.map { (try? SecretKey(hexadecimal: $0)) != nil } ?? true
    }

    /// What an answer other than 201 means.
    private func refusal(
        _ response: HTTPResponse, base: String, address: WebAddress, token: String
    ) async -> RegistrationFailure {
        switch response.status {
        case 401: return .unauthorized
        case 404:
            let isHomeAssistant = await answersAsHomeAssistant(base, token)
            return isHomeAssistant ? .mobileAppMissing : .notHomeAssistant(status: 404)
        default: return RegistrationFailure(answer: response)
        }
    }

    /// `GET /api/` answers `{"message":"API running."}` (homeassistant/components/api).
    private func answersAsHomeAssistant(_ base: String, _ token: String) async -> Bool {
        let request = HTTPRequest(url: "\(base)/api/", method: .get, bearerToken: token)
        guard case .success(let response) = await http.response(to: request) else { return false }
        let message = JSONValue(json: response.body)?["message"]
        return response.status == 200 && message == .string("API running.")
    }

    /// The address without a slash at its end; a bare host gets `http://` in front.
    nonisolated static func baseURL(_ text: String) -> String? {
        var url = text
        while url.hasSuffix("/") { url.removeLast() }
        if !url.contains("://") { url = "http://\(url)" }
        return url.isVisibleASCII && !url.contains("?") && !url.contains("#") ? url : nil
    }
}
