internal import HomingBase
internal import HomingHTTP
internal import HomingRuntime

/// A connection to a node of the engine: commands out, answers in their order.
///
/// Sends the commands of one turn of the loop together, and one proof command after them. Ends the
/// connection when a command has no answer for `patience`.
@LoopActor final class EngineConnection {
    enum Event {
        /// The node has taken the login.
        case ready
        /// The connection has ended, or could not be made; the reason.
        case ended(String)
        /// A message on a connection for subscriptions.
        case told(Reply)
    }

    /// Seconds for the connection with TLS, and for the login.
    private static let connectTime: Seconds = 2
    /// Seconds that an answer may take.
    static let patience: Seconds = 4
    /// Bytes of commands that may wait to be sent or answered.
    static let backlog = 64 << 20

    private let address: EngineAddress
    private let login: EngineLogin
    private let isSubscription: Bool
    private let clock: any Clockwork
    private let handle: @LoopActor (Event) -> Void
    private var connection: CurlConnection?
    private let reader = ReplyReader()
    private var pipeline: Pipeline
    private var answers: [Int: (answer: EngineAnswer, size: Int, sent: Seconds)] = [:]
    private var weight = 0
    private var lastNumber = 0
    private var greeting = 0
    private var unsent: [UInt8] = []
    private var sentBytes = 0
    private var isFlushing = false
    private var alarm: (any Alarm)?
    private var isEnded = false
    private(set) var isReady = false

    /// Starts to connect. Calls `handle` in the loop's next turn at the earliest.
    init(
        _ address: EngineAddress, _ login: EngineLogin, _ client: HTTPClient,
        isSubscription: Bool = false, _ clock: any Clockwork,
        handle: @escaping @LoopActor (Event) -> Void
    ) {
        self.address = address
        self.login = login
        self.isSubscription = isSubscription
        self.clock = clock
        self.handle = handle
        pipeline = Pipeline(proof: isSubscription ? .answer : login.proof)
        // HTTP is never spoken: the scheme says whether TLS is.
        let scheme = address.isSecure ? "https" : "http"
        let request = HTTPRequest(
            url: "\(scheme)://\(address)/", timeout: Self.connectTime,
            connectTimeout: Self.connectTime)
        connection = CurlConnection(request, client) { [weak self] failure in
            self?.connected(failure.map { "\($0)" })
        }
        if connection?.connect() != true {
            spawn { self.end("\(address): no connection can be made") }
        }
    }

    private func connected(_ failure: String?) {
        if let failure { return end("\(address): \(failure)") }
        connection?.watch { [weak self] in self?.read() }
        let commands = login.greeting(isSubscription: isSubscription)
        greeting = commands.count
        for command in commands { unsent += command.bytes }
        alarm = clock.once(after: Self.connectTime) { [weak self] in self?.checkTime() }
        write()
    }

    /// Sends a command. Fails before `ready`.
    func send(_ command: Command, _ answer: @escaping EngineAnswer) {
        guard isReady, connection != nil else {
            return answer(.failure(EngineFailure(.unreachable, "\(address) is not connected")))
        }
        let size = command.size
        guard weight + size <= Self.backlog else {
            return answer(.failure(EngineFailure(.overloaded, "too much waits for \(address)")))
        }
        lastNumber += 1
        weight += size
        answers[lastNumber] = (answer, size, clock.now().uptime)
        pipeline.add(lastNumber, isLasting: command.isLasting)
        unsent += command.bytes
        flushLater()
        if alarm == nil { watchTime() }
    }

    /// Sends a command whose answers, any number, come as `told`.
    func sendUnanswered(_ command: Command) {
        guard isReady, connection != nil else { return }
        unsent += command.bytes
        flushLater()
    }

    private func flushLater() {
        guard !isFlushing else { return }
        isFlushing = true
        spawn { self.flush() }
    }

    private func flush() {
        isFlushing = false
        if pipeline.needsProof(),
            let command = login.proof.command(milliseconds: EngineLogin.proofTime)
        {
            unsent += command.bytes
        }
        write()
    }

    private func write() {
        guard let connection else { return }
        while sentBytes < unsent.count {
            switch connection.write(unsent[sentBytes...]) {
            case .bytes(let count): sentBytes += count
            case .later:
                return connection.whenWritable { [weak self] in self?.write() }
            case .ended: return end("\(address) has closed the connection")
            case .broken(let words): return end("\(address): \(words)")
            }
        }
        (unsent, sentBytes) = ([], 0)
    }

    private func read() {
        guard let connection else { return }
        var fault: ReplyFault?
        var replies: [Reply] = []
        let outcome = connection.drain(limit: 1 << 20) { bytes in
            guard fault == nil else { return }
            do throws(ReplyFault) { replies += try reader.feed(bytes) } catch { fault = error }
        }
        for reply in replies where self.connection != nil { handleEngineReply(reply) }
        if let fault { return end("\(address): \(fault)") }
        switch outcome {
        case .later: break
        // TLS may hold what the descriptor does not show.
        case .bytes: spawn { self.read() }
        case .ended: end("\(address) has closed the connection")
        case .broken(let words): end("\(address): \(words)")
        }
    }

    private func handleEngineReply(_ reply: Reply) {
        if greeting > 0 { return takeGreeting(reply) }
        if isSubscription { return handle(.told(reply)) }
        guard let outcomes = pipeline.matchReply(reply) else {
            return end("\(address): an answer came that nothing had asked for")
        }
        for (number, outcome) in outcomes {
            guard let waiting = answers.removeValue(forKey: number) else { continue }
            weight -= waiting.size
            switch outcome {
            case .reply(let reply): waiting.answer(.success(reply))
            case .unproven(let reason):
                waiting.answer(.failure(EngineFailure(.unproven, "\(address): \(reason)")))
            }
        }
    }

    private func takeGreeting(_ reply: Reply) {
        if case .error(let words) = reply { return end("\(address): \(words.bounded(200))") }
        greeting -= 1
        guard greeting == 0 else { return }
        isReady = true
        alarm = nil
        handle(.ready)
    }

    private func watchTime() {
        alarm = clock.once(after: 1) { [weak self] in self?.checkTime() }
    }

    private func checkTime() {
        alarm = nil
        guard isReady else { return end("\(address) does not answer") }
        guard let oldest = answers.values.map(\.sent).min() else { return }
        guard clock.now().uptime - oldest < Self.patience else {
            return end("\(address) does not answer")
        }
        watchTime()
    }

    private func end(_ reason: String) {
        guard !isEnded else { return }
        close(EngineFailure(.lost, reason))
        handle(.ended(reason))
    }

    /// Closes the connection. Commands that wait fail with `failure`.
    func close(_ failure: EngineFailure) {
        isEnded = true
        connection?.close()
        connection = nil
        isReady = false
        alarm = nil
        let waiting = answers.sorted { $0.key < $1.key }
        answers = [:]
        for (_, entry) in waiting { entry.answer(.failure(failure)) }
    }
}
