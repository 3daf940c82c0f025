public import HomeAssistantAPI
public import HomingHTTP
public import HomingJSON
public import HomingRuntime

/// Something that is asked of Home Assistant over a WebSocket of its own, signed in with a token.
@LoopActor public final class WebSocketRequest<Outcome: Sendable> {
    /// Step that follows on a message.
    public enum Step {
        /// Say this; the outcome if the connection ends then.
        case send([UInt8], orElse: Outcome)
        case end(Outcome)
    }

    /// Choice of the step that follows on a message of Home Assistant, which comes with its JSON;
    /// `nil` for no step.
    public typealias Plan = @LoopActor (WebSocketMessage, JSONValue) -> Step?

    private let token: String
    private let plan: Plan
    private let completion: @LoopActor (Outcome) -> Void
    /// Outcome if the connection ends now.
    private var fallback: Outcome
    private var socket: WebSocket?
    private var deadline: Watch?
    private var isDone = false

    /// Runs it. The token is sent to this address: the caller has made sure that it may be.
    ///
    /// - Parameters:
    ///   - base: Home Assistant's address without a slash at its end.
    ///   - patience: seconds for all of it.
    ///   - failure: what it comes to if Home Assistant does not answer.
    public static func run(
        base: String, token: String, patience: Seconds, failure: Outcome, http: HTTPClient,
        plan: @escaping Plan
    ) async -> Outcome {
        await withCheckedContinuation { continuation in
            let request = WebSocketRequest(token, failure, plan) {
                continuation.resume(returning: $0)
            }
            request.deadline = Watch.once(after: patience) { [weak request] in request?.end(failure)
            }
            // The socket keeps the request for as long as it is open.
            request.socket = WebSocket("\(base)/api/websocket", over: http) { request.handle($0) }
        }
    }

    private init(
        _ token: String, _ failure: Outcome, _ plan: @escaping Plan,
        completion: @escaping @LoopActor (Outcome) -> Void
    ) {
        self.token = token
        self.plan = plan
        self.completion = completion
        fallback = failure
    }

    private func handle(_ event: WebSocket.Event) {
        switch event {
        case .text(let text):
            // A list of devices has up to 2 MiB, and is parsed once.
            if let json = JSONValue(json: text),
                let message = WebSocketMessage(json, count: text.count)
            {
                handleRequestMessage(message, json)
            }
        case .ended: end(fallback)
        default: break
        }
    }

    private func handleRequestMessage(_ message: WebSocketMessage, _ json: JSONValue) {
        if case .authRequired = message {
            socket?.send(WebSocketCommand.authenticate(token: token).message(id: 0))
            return
        }
        switch plan(message, json) {
        case .send(let command, let outcome)?:
            fallback = outcome
            socket?.send(command)
        case .end(let outcome)?: end(outcome)
        case nil: break
        }
    }

    private func end(_ outcome: Outcome) {
        guard !isDone else { return }
        isDone = true
        deadline = nil
        socket?.close()
        socket = nil
        completion(outcome)
    }
}
