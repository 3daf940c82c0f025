internal import HomingRelayProtocol
internal import HomingRuntime
internal import HomingServer

/// The requests that wait for the store, or for the far relay.
///
/// After two seconds a request is answered with 503 and released with its plaintext. The store may
/// still store the message. Home Assistant waits ten seconds for each device, one after the other.
@LoopActor final class OpenAnswers {
    private var requests: [Int: ServerRequest] = [:]
    /// Numbers of those requests that wait for the far relay.
    private var distant: Set<Int> = []
    private var last = 0
    private var deadlines: DueList<Int>?
    /// Requests that were answered with 503 after two seconds.
    private(set) var late = 0

    private let watch: StoreWatch

    init(_ clock: any Clockwork, _ watch: StoreWatch) {
        self.watch = watch
        deadlines = DueList(after: RelayService.answerTime, clock) { [weak self] in
            self?.expire($0)
        }
    }

    /// Requests that wait.
    var count: Int { requests.count }

    /// Keeps a request; returns the number by which it is answered.
    func add(_ request: ServerRequest) -> Int {
        last += 1
        requests[last] = request
        deadlines?.add(last)
        return last
    }

    /// The request waits for the far relay from now on.
    func waitsForFarRelay(_ number: Int) {
        if requests[number] != nil { distant.insert(number) }
    }

    /// Answers, unless it is too late.
    func answer(_ number: Int, _ answer: RelayAnswer) { self.answer(number) { _ in answer } }

    /// Answers with the result of `body`, unless it is too late.
    func answer(_ number: Int, _ body: (ServerRequest) -> RelayAnswer) {
        guard let request = requests.removeValue(forKey: number) else { return }
        distant.remove(number)
        request.answer(body(request))
    }

    private func expire(_ number: Int) {
        guard requests[number] != nil else { return }
        late += 1
        guard !distant.contains(number) else { return answer(number, .refused(.farAway)) }
        watch.failed("\(StoreFailure.late)")
        answer(number, .refused(.overloaded))
    }
}

extension ServerRequest {
    /// Answers with JSON.
    func answer(_ answer: RelayAnswer, allowing method: String? = nil) {
        var fields: [(name: String, value: String)] = []
        if let seconds = answer.retryAfter { fields.append(("Retry-After", "\(seconds)")) }
        if let method { fields.append(("Allow", method)) }
        self.answer(ServerAnswer(answer.status, json: answer.body, fields: fields))
    }
}
