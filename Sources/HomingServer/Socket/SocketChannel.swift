internal import Glibc
internal import HomingRuntime
internal import HomingWebSocket

/// The connection of a WebSocket. What is idle holds no buffers.
@LoopActor final class SocketChannel: EpollMember, Patrolled {
    private enum State {
        /// Wait for the library, which answers the upgrade.
        case waiting
        case open
        /// Closed by this end: what waits is sent, what comes is not read.
        case goodbye
        case ended
    }

    /// Bytes that wait to be sent, from which on pings are not answered.
    private static let pongLimit = 64 << 10
    /// Milliseconds after which a client that does not acknowledge what was sent counts as gone.
    private static let userTimeout: Int32 = 60_000

    private let hall: ServerHall
    private let client: ClientAddress
    private var deliver: (@LoopActor (ServerSocket.Event) -> Void)?
    private var reader: FrameReader
    private var state = State.waiting
    private var line = Line(-1)
    private var number = -1
    private var unsent: ArraySlice<UInt8> = []
    private var isWriting = false
    /// Whether a ping or a pong has come in this turn.
    private var wasHeard = false
    /// Payload of the last ping of this turn, which is answered alone: RFC 6455, section 5.5.3.
    private var ping: [UInt8]?
    private var early: Watch?
    /// Uptime in seconds.
    private(set) var lastHeard: Seconds

    /// - Parameter client: who counts as one more connection, until the end.
    init(
        in hall: ServerHall, client: ClientAddress, limit: Int,
        deliver: @escaping @LoopActor (ServerSocket.Event) -> Void
    ) {
        (self.hall, self.client, self.deliver) = (hall, client, deliver)
        reader = FrameReader(limit: max(0, min(limit, 1 << 30)), role: .server)
        lastHeard = hall.watchman.now
        number = hall.watchman.add(self)
        hall.door.countSockets(1)
    }

    var pendingBytes: Int { unsent.count }
    private var descriptor: Int32 { line.descriptor }

    // MARK: Its life

    /// Begins, with the bytes that came behind the request's head.
    ///
    /// - Parameters:
    ///   - line: its own from now on; without a descriptor there is no connection.
    ///   - first: the end of the answer, which goes before everything else.
    func open(_ line: Line, early bytes: UnsafeRawBufferPointer, unsent first: [UInt8] = []) {
        guard line.descriptor >= 0 else { return isLost() }
        self.line = line
        line.setTCP(TCP_NODELAY, 1)
        line.setTCP(TCP_USER_TIMEOUT, Self.userTimeout)
        unsent = first + unsent
        do {
            try hall.epoll.add(descriptor, .reading, self)
        } catch {
            return isLost()
        }
        if case .waiting = state {
            state = .open
            heard()
            reader.feed(bytes)
            // The library is at work: it is not the time to call the program.
            if !bytes.isEmpty || line.hasPending {
                early = Watch.once(after: 0) { [weak self] in self?.readEarly() }
            }
        } else {
            hall.watchman.enter(number, .goodbye)
        }
        flush()
    }

    /// Ends the channel, which will have no connection.
    func isLost() { end(.dropped) }

    func isReady(_ readiness: Readiness) {
        if readiness.contains(.writing) { flush() }
        if !readiness.isDisjoint(with: [.reading, .ended]) { read() }
    }

    func isLate(_ stage: ServerStage) {
        if stage == .silence { end(.silent) } else { finish() }
    }

    func serverEnds() {
        guard let deliver else { return }
        close(1001)
        deliver(.ended(.ending))
    }

    func serverIsOver() { finish() }

    func close(_ code: UInt16) {
        guard isAlive else { return }
        leave(code)
    }

    private var isAlive: Bool {
        switch state {
        case .waiting, .open: true
        case .goodbye, .ended: false
        }
    }

    /// Says goodbye, and waits for the client to do so.
    private func leave(_ code: UInt16?) {
        unsent += WebSocketFrame.close(code, from: .server)
        (state, deliver, early, ping) = (.goodbye, nil, nil, nil)
        reader = FrameReader(limit: 0, role: .server)
        guard descriptor >= 0 else { return }
        hall.watchman.enter(number, .goodbye)
        flush()
    }

    /// Ends at once, and tells so in the loop's next turn: whoever sends is not told meanwhile.
    private func end(_ kind: ServerSocketEnd) {
        let deliver = deliver
        finish()
        if let deliver { spawn { deliver(.ended(kind)) } }
    }

    private func finish() {
        if case .ended = state { return }
        (state, deliver, early, ping) = (.ended, nil, nil, nil)
        unsent = []
        reader = FrameReader(limit: 0, role: .server)
        if descriptor >= 0 {
            hall.epoll.remove(descriptor)
            Glibc.close(descriptor)
            line = Line(-1)
        }
        hall.watchman.remove(number)
        hall.door.leave(client)
        hall.door.countSockets(-1)
        hall.checkEnd()
    }

    // MARK: Reading

    private func readEarly() {
        takeItems()
        if line.hasPending { read() }
    }

    private func read() {
        let scratch = hall.scratch
        repeat {
            guard descriptor >= 0 else { return }
            switch line.receive(scratch) {
            case .waits: return
            case .over, .failed: return end(.dropped)
            case .moved(let count):
                guard case .open = state else { continue }
                heard()
                reader.feed(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
                takeItems()
            }
        } while line.hasPending
    }

    private func heard() {
        lastHeard = hall.watchman.now
        hall.watchman.enter(number, .silence)
    }

    private func takeItems() {
        do throws(FrameReader.Violation) {
            while case .open = state, let item = try reader.next() { handleClientItem(item) }
        } catch {
            let deliver = deliver
            leave(error.code)
            deliver?(.ended(.violation(error.code)))
        }
        endTurn()
    }

    private func handleClientItem(_ item: FrameReader.Item) {
        switch item {
        case .text(let text): deliver?(.text(text))
        case .pong: wasHeard = true
        case .ping(let payload): (wasHeard, ping) = (true, payload)
        case .close(let code, _):
            let deliver = deliver
            leave(code)
            deliver?(.ended(.closed(code)))
        }
    }

    /// Answers and tells once what came many times.
    private func endTurn() {
        let (ping, wasHeard) = (ping, wasHeard)
        (self.ping, self.wasHeard) = (nil, false)
        guard case .open = state else { return }
        if let ping, unsent.count < Self.pongLimit {
            enqueue(WebSocketFrame.bytes(.pong, ping, from: .server))
        }
        if wasHeard { deliver?(.heard) }
    }

    // MARK: Writing

    func send(_ text: [UInt8]) {
        if isAlive { enqueue(WebSocketFrame.bytes(.text, text, from: .server)) }
    }

    private func enqueue(_ bytes: [UInt8]) {
        guard unsent.count + bytes.count <= hall.limits.backlog else { return end(.stalled) }
        let wasEmpty = unsent.isEmpty
        unsent += bytes
        if wasEmpty { flush() }
    }

    private func flush() {
        guard descriptor >= 0 else { return }
        while !unsent.isEmpty {
            switch unsent.withUnsafeBytes({ line.send($0) }) {
            case .moved(let count): unsent.removeFirst(count)
            case .waits: return wantToWrite(true)
            case .over, .failed: return end(.dropped)
            }
        }
        unsent = []
        wantToWrite(false)
        // The client reads the goodbye and the end of everything, and then closes.
        if case .goodbye = state { line.endSending() }
    }

    private func wantToWrite(_ wants: Bool) {
        guard wants != isWriting else { return }
        isWriting = wants
        hall.epoll.change(descriptor, wants ? [.reading, .writing] : .reading)
    }
}
