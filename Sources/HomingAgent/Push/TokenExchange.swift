internal import FoundationEssentials
internal import HomeAssistantAPI
internal import HomingCore
internal import HomingRuntime
internal import HomingTransport

/// Swaps a refresh token for an access token of half an hour
/// (homeassistant/components/auth/__init__.py).
enum TokenExchange {
    private struct Grant: Decodable {
        var token: String

        private enum CodingKeys: String, CodingKey { case token = "access_token" }
    }

    /// - Parameter base: Home Assistant's address without a slash at its end.
    @LoopActor static func token(
        for authorization: Registration.Authorization, base: String, over http: HTTPClient
    ) async -> PushChannel.Entry {
        let form =
            "grant_type=refresh_token&refresh_token=\(escaped(authorization.token))"
            + "&client_id=\(escaped(authorization.clientID ?? ""))"
        let request = HTTPRequest(
            url: "\(base)/auth/token", method: .post, body: Array(form.utf8),
            contentType: "application/x-www-form-urlencoded")
        switch await http.response(to: request) {
        case .failure(let failure): return .refused(failure.description)
        case .success(let response):
            switch response.status {
            case 200:
                let grant = try? JSONDecoder().decode(Grant.self, from: Data(response.body))
                return grant.map { .token($0.token) }
                    ?? .refused("it gives no token of Home Assistant's form")
            // Each try counts towards Home Assistant's ban of a host.
            case 400, 401, 403: return .unauthorized("Home Assistant refuses the refresh token")
            default: return .refused("it answers with status \(response.status)")
            }
        }
    }

    /// As forms have it: letters, digits and `-._~` as they are, all else in hexadecimal.
    static func escaped(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { form, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                form.unicodeScalars.append(Unicode.Scalar(byte))
            default: form += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }
}
