internal import CMicroHTTPD
internal import HomingRuntime

/// The reply to a request.
enum Reply {
    case answer(ServerAnswer)
    case refusal(ServerRefusal)
    /// An upgrade to a WebSocket, with the value of `Sec-WebSocket-Accept`.
    case upgrade(SocketChannel, accept: String)
}

/// The requests of a connection, one after the other: each is answered before the next is read.
@LoopActor final class Exchange {
    /// A request that is coming.
    private struct Arrival {
        let line: RequestLine
        let forwards: [String]
        var body: BodyIntake
    }

    private let handle: OpaquePointer
    private unowned let connection: HTTPConnection
    private let peer: ClientAddress
    private let hall: ServerHall
    private var arrival: Arrival?
    /// Whether the target of the request that is coming may stand in a line.
    private var isAimed = true
    private var request: ServerRequest?
    private var reply: Reply?
    /// Whether the library waits until it is told to go on.
    private var isPaused = false
    /// Bytes of the body that the door counts.
    private var held = 0

    /// - Parameter handle: the library's, valid until the connection lets go of this.
    init(
        _ handle: OpaquePointer, of connection: HTTPConnection, from peer: ClientAddress,
        in hall: ServerHall
    ) {
        (self.handle, self.connection, self.peer, self.hall) = (handle, connection, peer, hall)
    }

    // MARK: What the library reads; each tells whether the connection may live

    /// The line of a head is whole. The library's own parts of it end at a space.
    func aim(_ target: UnsafeRawBufferPointer) {
        isAimed = HeadCheck.isTarget(target)
        connection.hasBegun()
    }

    /// A head is whole.
    func begin(_ line: RequestLine) -> Bool {
        connection.wait(for: .body)
        let (check, limits) = (RequestLine.check(handle), hall.limits)
        if homing_mhd_head_size(handle) > limits.head {
            return send(.refusal(.headTooLarge(limits.head)))
        }
        if !isAimed { return send(.refusal(.malformed("its target holds a forbidden character"))) }
        if let fault = check.fault(version: line.version) {
            return send(.refusal(.malformed(fault)))
        }
        let limit = limits.body(for: line.path)
        if BodyIntake.refusesAtOnce(
            check.declared ?? 0, limit: limit, expectsWord: check.expectsWord)
        {
            return send(.refusal(.bodyTooLarge(limit)))
        }
        arrival = Arrival(
            line: line, forwards: check.forwards, body: BodyIntake(limit: limit))
        return true
    }

    /// A piece of the body has come.
    func addBodyPiece(_ piece: UnsafeRawBufferPointer) -> Bool {
        arrival?.body.addBodyBytes(piece, room: hall.door.room)
        guard let body = arrival?.body else { return true }
        hold(body.bytes.count)
        guard body.isHopeless, let refusal = body.refusal else { return true }
        connection.cutOff(refusal)
        return false
    }

    /// The request is whole, or goes on after a pause.
    func conclude() -> Bool {
        isPaused = false
        if let reply { return send(reply) }
        guard let arrival else { return false }
        self.arrival = nil
        if let refusal = arrival.body.refusal { return send(.refusal(refusal)) }
        if hall.isEnding { return send(.refusal(.ending)) }
        let origin = Forwarding(peer: peer, fields: arrival.forwards, proxies: hall.proxies)
        let request = ServerRequest(
            line: arrival.line, body: arrival.body.bytes, origin: origin,
            isSecure: connection.secure != nil, exchange: self)
        self.request = request
        hall.door.countRequest()
        connection.wait(for: .answer)
        hall.take(request)
        if let reply { return send(reply) }
        MHD_suspend_connection(handle)
        isPaused = true
        return true
    }

    /// The answer has been sent, or never will be.
    func finish() {
        if case .upgrade(let channel, _)? = reply { channel.isLost() }
        request?.isOver()
        (arrival, request, reply) = (nil, nil, nil)
        hold(0)
    }

    private func hold(_ bytes: Int) {
        hall.door.hold(bytes - held)
        held = bytes
    }

    // MARK: Answering

    /// Takes the one answer to the request that was handed out.
    func settle(_ reply: Reply) {
        guard let request else { return }
        self.reply = reply
        self.request = nil
        request.isOver()
        if isPaused { hall.daemon.resume(handle) }
    }

    private func send(_ reply: Reply) -> Bool {
        connection.wait(for: .sending)
        arrival = nil
        hold(0)
        switch reply {
        case .answer(let answer): return queue(answer)
        case .refusal(let refusal):
            hall.door.countRefusal()
            return queue(hall.refusal(refusal))
        case .upgrade(_, let accept): return queueUpgrade(accept)
        }
    }

    private func queue(_ answer: ServerAnswer) -> Bool {
        guard let response = answer.response(closes: hall.isEnding) else { return false }
        defer { MHD_destroy_response(response) }
        return homing_mhd_queue(handle, UInt32(answer.code), response) != 0
    }

    /// A field of the request that was handed out.
    func field(_ name: String) -> String? {
        homing_mhd_field(handle, name).map { String(cString: $0) }
    }

    /// All fields of this name.
    func fields(_ name: String) -> [String] { RequestLine.values(of: name, handle) }

    // MARK: Upgrading

    /// A WebSocket for the client.
    ///
    /// - Throws: why the request is refused.
    func channel(
        for client: ClientAddress, limit: Int,
        deliver: @escaping @LoopActor (ServerSocket.Event) -> Void
    ) throws(ServerRefusal) -> SocketChannel {
        if hall.isEnding { throw .ending }
        guard connection.makeSeat(for: client) else { throw .crowded }
        return SocketChannel(in: hall, client: client, limit: limit, deliver: deliver)
    }

    private func queueUpgrade(_ accept: String) -> Bool {
        let me = Unmanaged.passUnretained(self).toOpaque()
        guard let response = MHD_create_response_for_upgrade(Self.upgraded, me) else {
            return false
        }
        defer { MHD_destroy_response(response) }
        _ = homing_mhd_set_field(response, "Upgrade", "websocket")
        _ = homing_mhd_set_field(response, "Sec-WebSocket-Accept", accept)
        return homing_mhd_queue(handle, 101, response) != 0
    }

    private static let upgraded: MHD_UpgradeHandler = {
        context, _, _, early, earlySize, socket, upgraded in
        guard let context, let upgraded else { return }
        let exchange = Unmanaged<Exchange>.fromOpaque(context)
        let early = Lent(UnsafeRawBufferPointer(start: early, count: earlySize))
        LoopActor.assumeIsolated { exchange.takeUnretainedValue().open(socket, early.value) }
        homing_mhd_release(upgraded)
    }

    /// The library has sent the answer and is about to close its descriptor: the WebSocket goes on
    /// with another one for the same connection, so that nothing of the library's stays behind.
    private func open(_ socket: Int32, _ early: UnsafeRawBufferPointer) {
        guard case .upgrade(let channel, _)? = reply else { return }
        reply = nil
        connection.hasUpgraded()
        if let secure = connection.secure {
            secure.handOver(to: channel, socket, early: early)
        } else {
            channel.open(Line(Socket(socket).copy()), early: early)
        }
        hall.daemon.expectMore()
    }
}
