internal import HomingBase
internal import HomingHTTP
internal import HomingRuntime

/// A connection to a node, which is made again after it breaks.
@LoopActor final class EngineLane {
    private static let rhythm = Pacer.Rhythm.doubling(first: 0.1, longest: 2)

    let address: EngineAddress
    private let make:
        @LoopActor (@escaping @LoopActor (EngineConnection.Event) -> Void) -> EngineConnection
    private let clock: any Clockwork
    private let told: @LoopActor (Event) -> Void
    private var connection: EngineConnection?
    private var waiting: [(command: Command, answer: EngineAnswer)] = []
    private var weight = 0
    private var pacer = Pacer(EngineLane.rhythm)
    private var retrying: (any Alarm)?
    private var isClosed = false
    /// The reason for the last failure; `nil` during the first try and while connected.
    private(set) var failure: String?

    enum Event {
        case ready
        case failed(String)
        case told(Reply)
    }

    init(
        _ address: EngineAddress, _ login: EngineLogin, _ client: HTTPClient,
        isSubscription: Bool = false, _ clock: any Clockwork,
        told: @escaping @LoopActor (Event) -> Void
    ) {
        self.address = address
        self.clock = clock
        self.told = told
        make = { handle in
            EngineConnection(
                address, login, client, isSubscription: isSubscription, clock, handle: handle)
        }
        connect()
    }

    var isReady: Bool { connection?.isReady == true }

    /// Sends a command, at once or when the first try to connect has succeeded.
    func send(_ command: Command, _ answer: @escaping EngineAnswer) {
        if let connection, connection.isReady { return connection.send(command, answer) }
        guard connection != nil, failure == nil else {
            let reason = failure ?? "\(address) is not connected"
            return answer(.failure(EngineFailure(isClosed ? .closed : .unreachable, reason)))
        }
        guard weight + command.size <= EngineConnection.backlog else {
            return answer(.failure(EngineFailure(.overloaded, "too much waits for \(address)")))
        }
        weight += command.size
        waiting.append((command, answer))
    }

    /// Sends a command whose answers come as `told`; does nothing without a connection.
    func sendUnanswered(_ command: Command) { connection?.sendUnanswered(command) }

    private func connect() {
        retrying = nil
        connection = make { [weak self] in self?.heard($0) }
    }

    private func heard(_ event: EngineConnection.Event) {
        switch event {
        case .told(let reply): told(.told(reply))
        case .ready:
            failure = nil
            pacer.succeeded()
            for (command, answer) in takeWaiting() { connection?.send(command, answer) }
            told(.ready)
        case .ended(let reason):
            connection = nil
            failure = reason
            let lost = EngineFailure(.unreachable, reason)
            for (_, answer) in takeWaiting() { answer(.failure(lost)) }
            guard !isClosed else { return }
            retrying = clock.once(after: pacer.failed(at: clock.now())) { [weak self] in
                self?.connect()
            }
            told(.failed(reason))
        }
    }

    private func takeWaiting() -> [(command: Command, answer: EngineAnswer)] {
        defer { (waiting, weight) = ([], 0) }
        return waiting
    }

    /// Ends the connection, and makes another.
    func reconnect(_ reason: String) {
        connection?.close(EngineFailure(.lost, reason))
        heard(.ended(reason))
    }

    /// Closes the lane. Commands that wait fail with `reason`.
    func close(_ reason: EngineFailure) {
        isClosed = true
        retrying = nil
        failure = reason.description
        connection?.close(reason)
        connection = nil
        for (_, answer) in takeWaiting() { answer(.failure(reason)) }
    }
}
