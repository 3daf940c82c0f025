internal import HomingRuntime

/// A connection of HTTP: its life, and how long it may wait for what.
@LoopActor final class HTTPConnection: EpollMember, Patrolled {
    private let hall: ServerHall
    private let descriptor: Int32
    private let peer: ClientAddress
    private var number = -1
    /// Exchange from the library's first word of the connection to its last.
    private var exchange: Exchange?
    /// Whether the epoll descriptor knows the socket: once the first request has been answered.
    private var isWatched = false
    /// Whether it is a WebSocket's now.
    private var isUpgraded = false
    /// Whether it counts as a connection of `peer`.
    private var hasSeat: Bool
    /// The connection of TLS for which it stands, and which counts itself.
    private(set) weak var secure: SecureConnection?

    private var socket: Socket { Socket(descriptor) }

    init(
        _ descriptor: Int32, from peer: ClientAddress, over secure: SecureConnection?,
        in hall: ServerHall
    ) {
        (self.descriptor, self.peer, self.hall) = (descriptor, peer, hall)
        (self.secure, hasSeat) = (secure, secure == nil)
        number = hall.watchman.add(self)
        hall.door.countConnections(1)
    }

    // MARK: What the library tells

    /// The library has it.
    func hasStarted(_ handle: OpaquePointer) {
        exchange = Exchange(handle, of: self, from: peer, in: hall)
        wait(for: .head)
    }

    /// The library has been given it, and did not want it if it never started.
    func hasBeenGiven() {
        if exchange == nil, number >= 0 { hasClosed() }
    }

    /// Exchange for what the library reads and sends over the connection; `nil` after its end.
    var current: Exchange? {
        hall.daemon.hasDoneSomething()
        return exchange
    }

    /// The line of a head is whole: if its first byte was not told, it counts from now on.
    func hasBegun() {
        if hall.watchman.stage(of: number) == .idle { wait(for: .head) }
    }

    /// The answer has been sent, or never will be.
    func hasFinished() {
        exchange?.finish()
        guard !isUpgraded else { return }
        wait(for: .idle)
        let asked: Readiness = [.reading, .closing, .once]
        if isWatched { return hall.epoll.change(descriptor, asked) }
        isWatched = (try? hall.epoll.add(descriptor, asked, self)) != nil
    }

    /// The library has sent its last, and is about to close its descriptor.
    func hasUpgraded() {
        isUpgraded = true
        hall.watchman.leave(number)
        unwatch()
    }

    /// The library is about to close the socket.
    func hasClosed() {
        guard number >= 0 else { return }
        exchange?.finish()
        unwatch()
        hall.watchman.remove(number)
        hall.door.countConnections(-1)
        if hasSeat { hall.door.leave(peer) }
        (exchange, number) = (nil, -1)
        hall.checkEnd()
    }

    private func unwatch() {
        if isWatched { hall.epoll.remove(descriptor) }
        isWatched = false
    }

    // MARK: Waiting

    /// Waits for this from now on, and for nothing else.
    func wait(for stage: ServerStage) { hall.watchman.enter(number, stage) }

    /// The first byte of the next head has come: the library reads it, here the time begins to count.
    ///
    /// If the library has read it before it could be told, as may be under load, the next byte counts
    /// as the first, or the connection ends as one that is idle.
    func isReady(_ readiness: Readiness) {
        if readiness.contains(.closing), socket.isOver { return hangUp() }
        hasBegun()
    }

    func isLate(_ stage: ServerStage) {
        switch stage {
        case .head: cutOff(.slowHead)
        case .body: cutOff(.slowBody)
        case .answer: exchange?.settle(.refusal(.noAnswer(hall.limits.answerTime)))
        case .idle, .sending, .silence, .goodbye: hangUp()
        }
    }

    func serverEnds() {
        switch hall.watchman.stage(of: number) {
        case .idle: hangUp()
        case .head where hasNothingCome: hangUp()
        // The library does not see the end if it came together with the last bytes.
        case .head, .body: if socket.isOver { hangUp() }
        default: break
        }
    }

    /// Whether no byte of a request has come yet.
    private var hasNothingCome: Bool {
        secure.map { !$0.hasPassedOn } ?? (socket.receivedBytes == 0)
    }

    func serverIsOver() { exchange?.settle(.refusal(.ending)) }

    // MARK: Ending

    /// The library sees the end of the connection, and closes it.
    private func hangUp() {
        if !isUpgraded { socket.hangUp() }
    }

    /// Answers in the library's place, which reads and has nothing to send, and ends the connection.
    func cutOff(_ refusal: ServerRefusal) {
        hall.door.countRefusal()
        let bytes = hall.refusal(refusal).wholeText
        _ = bytes.withUnsafeBytes(socket.send)
        hangUp()
    }

    /// Has a WebSocket of this client count in place of the connection, which may be a proxy's; false if
    /// the client has too many.
    func makeSeat(for client: ClientAddress) -> Bool {
        guard hall.door.replace(peer, by: client) else { return false }
        secure?.giveSeat()
        hasSeat = false
        return true
    }
}
