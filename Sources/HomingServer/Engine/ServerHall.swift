internal import Glibc
internal import HomingRuntime

/// The parts that all connections of a server share, and the shutdown.
@LoopActor final class ServerHall {
    /// The longest that a server takes to end, in seconds.
    private static let endTime: Seconds = 10

    let limits: ServerLimits
    let proxies: [AddressRange]
    let epoll: Epoll
    let daemon: Daemon
    let watchman: Watchman
    let door: Doorkeeper
    /// The read buffer, which all sockets share.
    nonisolated(unsafe) let scratch: UnsafeMutableRawBufferPointer
    /// Makes the answer where the server answers by itself.
    let refusal: @LoopActor (ServerRefusal) -> ServerAnswer
    let take: @LoopActor (ServerRequest) -> Void
    /// The certificate for clients of TLS; `nil` without TLS.
    private(set) var identity: TLSIdentity?
    /// Whether no more requests are taken.
    private(set) var isEnding = false
    private let clock: any Clockwork
    private var listeners: [Listener] = []
    private var isStopped = false
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var alarms: [any Alarm] = []
    private var stopping: Watch?
    /// Keeps the hall alive until `stop`, as the library has pointers into the hall.
    private var myself: ServerHall?

    init(
        limits: ServerLimits, proxies: [AddressRange], clock: any Clockwork,
        refusal: @escaping @LoopActor (ServerRefusal) -> ServerAnswer,
        take: @escaping @LoopActor (ServerRequest) -> Void
    ) throws(ServerFailure) {
        let limits = limits.bounded
        (self.limits, self.proxies, self.clock) = (limits, proxies, clock)
        (self.refusal, self.take) = (refusal, take)
        do {
            epoll = try Epoll()
        } catch {
            throw ServerFailure("cannot serve: \(error)")
        }
        // Half of it is for the head itself, the other for what the library notes of its fields.
        daemon = try Daemon(
            epoll: epoll, connections: limits.connections, memory: limits.head * 2)
        watchman = Watchman(clock: clock, limits: limits)
        door = Doorkeeper(limits: limits, proxies: proxies)
        scratch = .allocate(byteCount: 16 << 10, alignment: 16)
        myself = self
    }

    deinit { scratch.deallocate() }

    /// Listens there.
    ///
    /// - Returns: the address, with the port that the system chose.
    func listen(
        on address: ListenAddress, isSecure: Bool, onlySix: Bool
    ) throws(ServerFailure) -> ListenAddress {
        let listener = try Listener(
            address, isSecure: isSecure, onlySix: onlySix, clock: clock, hall: self)
        listeners.append(listener)
        return listener.address
    }

    /// Shows this to clients of TLS that come from now on.
    func show(_ identity: TLSIdentity?) { self.identity = identity }

    /// Takes a client's socket, or closes it.
    func welcome(_ client: Int32, from peer: ClientAddress, isSecure: Bool) {
        guard !isEnding, door.enter(peer) else {
            Glibc.close(client)
            return
        }
        guard isSecure else { return welcome(client, from: peer, over: nil) }
        guard let session = identity?.session(over: client) else {
            door.leave(peer)
            Glibc.close(client)
            return
        }
        SecureConnection(client, from: peer, session, in: self).open()
    }

    /// Gives the library a client's socket, or its end of a pair.
    func welcome(_ client: Int32, from peer: ClientAddress, over secure: SecureConnection?) {
        let connection = HTTPConnection(client, from: peer, over: secure, in: self)
        daemon.add(client, for: connection)
        connection.hasBeenGiven()
    }

    // MARK: The end

    /// Ends in order; returns when all is over.
    func end() async {
        guard !isStopped else { return }
        if !isEnding {
            isEnding = true
            for listener in listeners { listener.close() }
            alarms = [
                clock.once(after: Self.endTime) { [weak self] in self?.force() },
                clock.timer(0.5) { [weak self] in
                    self?.urge()
                    return .again
                },
            ]
            urge()
        }
        await withCheckedContinuation { waiters.append($0) }
    }

    /// Ends what waits for nothing.
    private func urge() {
        for occupant in watchman.all { occupant.serverEnds() }
        checkEnd()
    }

    /// Called when a connection or a socket is no more.
    func checkEnd() {
        guard isEnding, !isStopped, stopping == nil, watchman.isEmpty else { return }
        // The library may be at work now.
        stopping = Watch.once(after: 0) { [weak self] in self?.stop() }
    }

    /// Ends the shutdown after `endTime`: answers open requests with 503, and stops.
    private func force() {
        for occupant in watchman.all { occupant.serverIsOver() }
        daemon.run()
        stop()
    }

    /// Ends at once; not from within the library.
    func stop() {
        guard !isStopped else { return }
        (isEnding, isStopped) = (true, true)
        for listener in listeners { listener.close() }
        daemon.stop()
        for occupant in watchman.all { (occupant as? SecureConnection)?.libraryHasStopped() }
        (alarms, stopping, listeners, myself) = ([], nil, [], nil)
        let waiters = waiters
        self.waiters = []
        for waiter in waiters { waiter.resume() }
    }
}
