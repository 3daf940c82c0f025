internal import HomeAssistantAPI
internal import HomingBase
internal import HomingCrypto
internal import HomingDelivery
internal import HomingHTTP
internal import HomingJSON
internal import HomingRoutes

/// Requests beside the courier's requests, for somebody who waits.
extension WebhookTransport {
    func reply(
        to command: WebhookRequest, by endpoint: Endpoint, timeout: Seconds
    ) async -> DirectCall<JSONValue>.Reply {
        // What cannot be said cannot be taken either.
        guard let body = try? envelope.body(for: command) else { return .refused(nil) }
        var request = HTTPRequest(
            url: endpoint.webhookURL, method: .post, body: body, timeout: timeout)
        request.needsNewConnection = !command.isRepeatable
        switch await http.response(to: request) {
        case .failure(let failure):
            return .failed(Self.problem(failure), mayHaveArrived: failure.mayHaveArrived)
        case .success(let response): return reply(response)
        }
    }

    func proof(of endpoint: Endpoint) async -> EndpointProblem? {
        let nonce = RandomToken.hex(bytes: 8)
        guard let command = command(for: .receipt, nonce: nonce),
            let body = try? envelope.body(for: command)
        else { return .foreign("no receipt can be asked") }
        let result = await http.response(to: .post(endpoint.webhookURL, body))
        switch answer(to: .receipt, nonce: nonce, result.map { WebhookAnswer($0) }) {
        case .receipt: return nil
        case .failed(let problem): return problem
        case .gone: return .gone
        default: return .foreign("its answer does not fit the question")
        }
    }

    func reply(_ response: HTTPResponse) -> DirectCall<JSONValue>.Reply {
        let reply = envelope.contents(of: response.body)
        // A sealed 400 is Home Assistant's own word: an unknown camera.
        if case .opened(let content) = reply, envelope.seals || response.status < 400 {
            return .opened(content)
        }
        // Home Assistant has done the command; the caller finds no answer in this.
        if reply == .unreadable { return .opened(.null) }
        let verdict = ReplyVerdict.of(
            status: response.status, body: Self.sort(reply, status: response.status),
            retryAfter: response.retryAfter, expecting: .nothing, onNewConnection: true)
        guard case .answer(let answer) = verdict else {
            return .failed(.foreign("an answer of another shape"), mayHaveArrived: false)
        }
        switch answer {
        case .taken: return .emptyObject
        case .empty: return .empty
        case .refused:
            switch reply {
            case .plainObject(let words), .opened(let words): return .refused(words)
            default: return .refused(nil)
            }
        case .gone: return .failed(.gone, mayHaveArrived: false)
        case .failed(let problem):
            // A proxy that lost its patience, or Home Assistant in the middle of the work.
            let mayHaveArrived = response.status >= 500 && response.status != 503
            return .failed(problem, mayHaveArrived: mayHaveArrived)
        default:
            return .failed(.foreign("its answer does not fit the question"), mayHaveArrived: true)
        }
    }
}
