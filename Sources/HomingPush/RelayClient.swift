internal import HomingCrypto
public import HomingHTTP
internal import HomingJSON
public import HomingRelayProtocol
public import HomingRuntime

/// The failure of a request to a relay over HTTP.
public enum RelayFailure: Error, Equatable, Sendable {
    /// Lack of a route to the relay, or of an answer; why, for people.
    case unreachable(String)
    /// The relay's certificate is by an issuer that is not trusted here; how, for people.
    case untrusted(String)
    /// Something else than a relay of Homing's answers; how, for people.
    case notRelay(String)
    /// The relay refuses, and says why.
    case refused(RelayRefusal)
    /// The daily limit of notifications is reached.
    case limited
}

extension RelayFailure {
    /// The remedy where a relay has a certificate of its operator's own making.
    public static let trustHint =
        "for an authority of the relay's own set ca_file under [home_assistant] in agent.conf.d/local.conf"
}

/// The requests of a device to a relay over HTTP.
@LoopActor public struct RelayClient {
    /// Seconds that a relay has to answer: as many as Home Assistant gives it.
    private static let patience: Seconds = 10

    private let http: HTTPClient

    /// - Parameter http: whose TLS settings are used.
    public init(over http: HTTPClient) { self.http = http }

    /// Asks for a token.
    ///
    /// - Parameter url: the relay's, without a trailing slash.
    public func join(
        _ request: JoinRequest, at url: String
    ) async -> Result<JoinAnswer, RelayFailure> {
        await post(request.body, to: url + RelayPath.join).flatMap { body in
            JoinAnswer(body: body).map { .success($0) }
                ?? .failure(.notRelay("its answer is not understood"))
        }
    }

    /// Tells a front to which mailbox it forwards. Returns the sealed grant of another token, if the front
    /// gives one.
    ///
    /// - Parameter url: the front's, without a trailing slash.
    public func forward(
        _ request: ForwardRequest, at url: String
    ) async -> Result<[UInt8]?, RelayFailure> {
        await post(request.body, to: url + RelayPath.forward).flatMap { Self.renewal(in: $0) }
    }

    nonisolated static func renewal(in body: [UInt8]) -> Result<[UInt8]?, RelayFailure> {
        let limits = JSONLimits(bytes: JoinAnswer.limit, depth: 32)
        switch (try? JSON.value(of: body, within: limits))?["renewal"] {
        case .null: return .success(nil)
        case .string(let text):
            if let sealed = URLBase64.bytes(of: text) { return .success(sealed) }
        default: break
        }
        return .failure(.notRelay("its answer is not understood"))
    }

    /// Asks whether the relay takes a token, where Home Assistant posts. Nothing is counted.
    public func check(_ token: String, at pushURL: String) async -> Result<Void, RelayFailure> {
        await post(TokenQuestion.body(token), to: pushURL + RelayPath.checkEnding)
            .flatMap { Self.receipt(in: $0) }
    }

    /// Posts a body of Home Assistant's kind.
    public func push(_ body: [UInt8], to pushURL: String) async -> Result<Void, RelayFailure> {
        await post(body, to: pushURL).flatMap { Self.receipt(in: $0) }
    }

    /// Another server may answer any POST with 200.
    nonisolated static func receipt(in body: [UInt8]) -> Result<Void, RelayFailure> {
        RelayAnswer.isReceipt(body)
            ? .success(()) : .failure(.notRelay("its answer is not understood"))
    }

    private func post(_ body: [UInt8], to url: String) async -> Result<[UInt8], RelayFailure> {
        var request = HTTPRequest.post(url, body)
        request.timeout = Self.patience
        // A warm connection may be dead, and a code must not be spent twice.
        request.needsNewConnection = true
        switch await http.response(to: request) {
        case .failure(let failure): return .failure(Self.failure(failure))
        case .success(let response) where (200...299).contains(response.status):
            return .success(response.body)
        case .success(let response):
            return .failure(Self.failure(response.status, response.body))
        }
    }

    nonisolated static func failure(_ failure: HTTPFailure) -> RelayFailure {
        failure.kind == .tls(.unknownIssuer)
            ? .untrusted(failure.description) : .unreachable(failure.description)
    }

    nonisolated static func failure(_ status: Int, _ body: [UInt8]) -> RelayFailure {
        switch RelayProblem(body: body) {
        case .limited: return .limited
        case .refused(let refusal): return .refused(refusal)
        case nil: break
        }
        let text = "it answers with status \(status)"
        // A gateway's words for a relay that is away.
        return (502...504).contains(status) ? .unreachable(text) : .notRelay(text)
    }
}
