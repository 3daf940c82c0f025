internal import HomingBase
internal import HomingHTTP
internal import HomingRelayProtocol
internal import HomingRuntime

/// The requests of a front to the far relay.
@LoopActor final class FarRelay {
    /// Seconds for an answer, over a slow connection.
    private static let patience: Seconds = 30

    /// The far relay's address, without a trailing slash.
    let url: String
    private let http: HTTPClient

    init(_ url: String, caFile: String?) {
        self.url = url
        http = HTTPClient(
            tls: TLSOptions(caFile: caFile), userAgent: "homing-relay/\(homingVersion)")
    }

    /// Posts a sealed message.
    func post(_ request: SealedRequest) async -> FarAnswer {
        await postToFarRelay(request.body, RelayPath.sealed, request.kind)
    }

    /// Asks whether the far relay takes a token. Nothing is counted.
    func check(_ token: PushToken) async -> FarAnswer {
        await postToFarRelay(TokenQuestion.body(token.text), RelayPath.check, .free)
    }

    /// Returns why nothing can be forwarded to the far relay, for people; `nil` if it answers.
    func problem() async -> String? {
        // A relay says that there is no token.
        switch await postToFarRelay(Array("{}".utf8), RelayPath.check, .free) {
        case .away(let reason, _): reason
        case .taken, .tokenRefused, .limited, .tooFast, .messageRefused: nil
        }
    }

    private func postToFarRelay(
        _ body: [UInt8], _ path: String, _ kind: PushRequest.Kind
    ) async -> FarAnswer {
        var request = HTTPRequest.post(url + path, body)
        request.timeout = Self.patience
        switch await http.response(to: request) {
        case .failure(let failure): return .away(Self.reason(failure), nil)
        case .success(let response):
            return FarAnswer(
                status: response.status, body: response.body, retryAfter: response.retryAfter,
                kind: kind)
        }
    }

    /// The failure in words, with the configuration key to set where a key helps.
    nonisolated static func reason(_ failure: HTTPFailure) -> String {
        guard failure.kind == .tls(.unknownIssuer) else { return failure.description }
        return "\(failure); let ca_file under [forward] name the certificate of its issuer"
    }

    func shutdown() { http.shutdown() }
}
