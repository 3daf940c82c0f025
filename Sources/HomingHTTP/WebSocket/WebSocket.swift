public import HomingRuntime
internal import HomingWebSocket

/// A WebSocket on the loop: RFC 6455 over a connection that libcurl makes, with the TLS settings of
/// an `HTTPClient`. Whole text messages in and out; no extensions, no thread, no wake-up of its own.
///
/// It answers the server's pings. It sends none by itself and knows no deadline but that of connecting:
/// whoever uses it decides how long a silence may last, and closes it.
@LoopActor public final class WebSocket {
    private enum State {
        case connecting
        case upgrading(Upgrade)
        case open
        case ended
    }

    /// The largest message taken, in bytes; a larger one ends the socket.
    public nonisolated static let messageLimit = 2 << 20
    /// Bytes that may wait to be sent before the server counts as one that does not read.
    nonisolated static let backlogLimit = 1 << 20
    /// Waiting bytes from which on pings are not answered: the server does not read the answers.
    nonisolated static let pongLimit = 64 << 10
    /// Bytes read in one turn of the loop, so that a flood leaves the others their turns.
    nonisolated static let turnLimit = 256 << 10
    /// Frames and messages taken in one turn: a flood of the smallest is as long as one of bytes.
    nonisolated static let turnItems = 1000

    private let request: HTTPRequest
    private let parts: URLParts
    private let userAgent: String
    private let deliver: @LoopActor (Event) -> Void
    private var connection: CurlConnection?
    private var state = State.connecting
    private var reader = FrameReader(limit: WebSocket.messageLimit, role: .client)
    private var unsent: ArraySlice<UInt8> = []
    private var more: Watch?
    /// Items that may still be taken in this turn.
    private var room = WebSocket.turnItems
    /// Whether the server has been heard in this turn, apart from its messages.
    private var wasHeard = false
    /// Payload of the last ping of this turn, which is answered alone: RFC 6455, section 5.5.3.
    private var ping: [UInt8]?

    /// Begins to connect; nothing is delivered before the loop's next turn.
    ///
    /// - Parameters:
    ///   - url: with `http` or `https`, without a query.
    ///   - client: whose TLS settings, TLS sessions and name are used.
    ///   - bearerToken: goes to this server with the upgrade's request. Secret.
    ///   - connectTimeout: seconds for the name, the connection and TLS.
    ///   - deliver: gets the events. It may close the socket.
    public init(
        _ url: String, over client: HTTPClient, bearerToken: String? = nil,
        connectTimeout: Double = 15, deliver: @escaping @LoopActor (Event) -> Void
    ) {
        request = HTTPRequest(
            url: url, bearerToken: bearerToken, timeout: connectTimeout,
            connectTimeout: connectTimeout)
        parts = URLParts(url)
        userAgent = client.settings?.userAgent ?? ""
        self.deliver = deliver
        start(client)
    }

    private func start(_ client: HTTPClient) {
        let connection = CurlConnection(request, client) { [weak self] failure in
            self?.hasConnected(failure)
        }
        self.connection = connection
        let defect = request.defect
        if defect != nil || connection?.connect() != true {
            let kind = defect ?? .other
            spawn { self.end(.connection(kind), FailureText.withoutServer(kind)) }
        }
    }

    private func hasConnected(_ failure: HTTPFailure?) {
        guard case .connecting = state else { return }
        if let failure {
            return end(.connection(failure.kind), failure.description)
        }
        let upgrade = Upgrade.random()
        state = .upgrading(upgrade)
        connection?.watch { [weak self] in self?.read() }
        let path = parts.path.isEmpty ? "/" : parts.path
        enqueue(
            upgrade.request(
                host: parts.server, path: path, userAgent: userAgent,
                bearerToken: request.bearerToken))
    }

    /// The two ends of the connection; `nil` before the connection is made.
    public var path: ConnectionPath? { connection?.path }

    /// Sends a text message. Does nothing unless the socket is open.
    public func send(_ text: [UInt8]) {
        if case .open = state { enqueue(WebSocketFrame.bytes(.text, text, from: .client)) }
    }

    /// Asks the server whether it is there: `heard` follows. Does nothing unless the socket is open.
    public func askForPong() {
        if case .open = state { enqueue(WebSocketFrame.bytes(.ping, [], from: .client)) }
    }

    /// Says goodbye, if the server reads it, and closes at once. Nothing is delivered after that.
    public func close() {
        if case .open = state { sayGoodbye(1001) }
        release()
    }

    private func sayGoodbye(_ code: UInt16?) {
        unsent += WebSocketFrame.close(code, from: .client)
        if let connection { _ = connection.write(unsent) }
    }

    private func end(_ kind: WebSocketEnd.Kind, _ words: String) {
        if case .ended = state { return }
        release()
        deliver(.ended(WebSocketEnd(kind: kind, description: words)))
    }

    private func broke(_ words: String) {
        end(.dropped, "\(parts.server) broke the connection: \(words)")
    }

    private func release() {
        state = .ended
        more = nil
        unsent = []
        reader = FrameReader(limit: 0, role: .client)
        connection?.close()
        connection = nil
    }

    // MARK: Reading

    private func read() {
        more = nil
        room = WebSocket.turnItems
        // What the turn before has left.
        takeItems()
        if room > 0 { drain() } else { readLater() }
        endTurn()
    }

    private func drain() {
        let outcome = connection?.drain(limit: WebSocket.turnLimit, { receiveBytes($0) })
        // What has come goes before the end of the connection, which is told again.
        if room == 0 { return readLater() }
        switch outcome {
        case nil, .later?: break
        case .ended?: end(.dropped, "\(parts.server) closed the connection")
        case .broken(let words)?: broke(words)
        // TLS may hold what the descriptor does not show.
        case .bytes?: readLater()
        }
    }

    private func readLater() {
        guard connection != nil else { return }
        more = Watch.once(after: 0) { [weak self] in self?.read() }
    }

    /// Answers and tells once what came many times.
    private func endTurn() {
        let (ping, wasHeard) = (ping, wasHeard)
        (self.ping, self.wasHeard) = (nil, false)
        guard case .open = state else { return }
        if let ping, unsent.count < WebSocket.pongLimit {
            enqueue(WebSocketFrame.bytes(.pong, ping, from: .client))
        }
        if wasHeard, case .open = state { deliver(.heard) }
    }

    private func receiveBytes(_ bytes: UnsafeRawBufferPointer) {
        switch state {
        case .upgrading(var upgrade):
            let verdict = upgrade.feed(bytes)
            state = .upgrading(upgrade)
            if let verdict { answered(verdict) }
        case .open:
            reader.feed(bytes)
            takeItems()
        case .connecting, .ended: break
        }
    }

    private func answered(_ verdict: Upgrade.Verdict) {
        switch verdict {
        case .switched(let rest):
            state = .open
            reader.feed(rest)
            deliver(.opened)
            takeItems()
        case .status(let status):
            end(.status(status), "\(parts.server) answers with status \(status)")
        case .notWebSocket(let reason):
            end(.notWebSocket, "\(parts.server) has no WebSocket: \(reason)")
        }
    }

    private func takeItems() {
        do throws(FrameReader.Violation) {
            while case .open = state, room > 0, let item = try reader.next() {
                room -= 1
                handleServerItem(item)
            }
        } catch {
            sayGoodbye(error.code)
            end(.violation(error.code), "\(parts.server) sent \(error.text)")
        }
    }

    private func handleServerItem(_ item: FrameReader.Item) {
        switch item {
        case .text(let text): deliver(.text(text))
        case .pong: wasHeard = true
        case .ping(let payload):
            wasHeard = true
            ping = payload
        case .close(let code, _):
            sayGoodbye(code)
            let words = code.map { " (code \($0))" } ?? ""
            end(.closed(code), "\(parts.server) ended the connection\(words)")
        }
    }

    // MARK: Writing

    private func enqueue(_ bytes: [UInt8]) {
        guard unsent.count + bytes.count <= WebSocket.backlogLimit else {
            return end(.stalled, "\(parts.server) does not read what is sent")
        }
        let wasEmpty = unsent.isEmpty
        unsent += bytes
        if wasEmpty { write() }
    }

    private func write() {
        while let connection, !unsent.isEmpty {
            switch connection.write(unsent) {
            case .bytes(let count): unsent.removeFirst(count)
            case .later: return connection.whenWritable { [weak self] in self?.write() }
            case .ended: return
            case .broken(let words): return broke(words)
            }
        }
        unsent = []
    }
}
