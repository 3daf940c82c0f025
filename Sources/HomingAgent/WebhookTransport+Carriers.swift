internal import HomingBase
internal import HomingHTTP
internal import HomingRoutes
internal import HomingRuntime

/// The courier's requests by the socket that is open anyway, or by HTTP.
extension WebhookTransport {
    /// Sends it by HTTP too if the socket ended first, as libcurl sends again what met a connection
    /// that was dead.
    func send(
        _ body: [UInt8], _ endpoint: Endpoint,
        completion: @escaping @LoopActor (Result<WebhookAnswer, HTTPFailure>) -> Void
    ) {
        let mine = generation
        let isTaken = socket?.send(body, to: endpoint) { [weak self] outcome in
            guard let self, self.generation == mine else { return }
            guard case .answered(let status, let reply, let isFirst) = outcome else {
                return self.sendByHTTP(body, endpoint, completion: completion)
            }
            let isNew = isFirst || !self.wasBySocket
            self.wasBySocket = true
            completion(.success(WebhookAnswer(status: status, body: reply, onNewConnection: isNew)))
        }
        if isTaken != true { sendByHTTP(body, endpoint, completion: completion) }
    }

    private func sendByHTTP(
        _ body: [UInt8], _ endpoint: Endpoint,
        completion: @escaping @LoopActor (Result<WebhookAnswer, HTTPFailure>) -> Void
    ) {
        let message = HTTPRequest(url: endpoint.webhookURL, method: .post, body: body)
        let mine = generation
        underWay = http.send(message) { [weak self] result in
            // One that was called off says so after the next one has begun.
            guard let self, self.generation == mine else { return }
            self.underWay = nil
            let wasBySocket = self.wasBySocket
            self.wasBySocket = false
            let answer = result.map { response in
                var answer = WebhookAnswer(response)
                // A warm connection is another one than the socket that was used meanwhile.
                if wasBySocket { answer.onNewConnection = true }
                return answer
            }
            completion(answer)
        }
    }
}

/// What a webhook answered, by whichever carrier.
struct WebhookAnswer {
    /// HTTP's.
    let status: Int
    let body: [UInt8]
    var retryAfter: Seconds?
    /// Whether the connection is another one than that of the request before.
    var onNewConnection: Bool

    init(status: Int, body: [UInt8], onNewConnection: Bool) {
        self.status = status
        self.body = body
        self.onNewConnection = onNewConnection
    }

    init(_ response: HTTPResponse) {
        status = response.status
        body = response.body
        retryAfter = response.retryAfter
        onNewConnection = !response.connection.isReused
    }
}
