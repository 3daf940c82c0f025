internal import Glibc
internal import HomingRuntime

/// A connection of TLS: shakes hands, then passes bytes on between its client and the library, which
/// has one end of a pair of sockets. A WebSocket takes the session over, and the pair goes.
@LoopActor final class SecureConnection: EpollMember, Patrolled {
    private enum State {
        /// The hands are being shaken.
        case greeting
        case passing
        /// All was sent: the client is to close too.
        case goodbye
        case ended
    }

    /// Receives the events of this end of the pair.
    private final class Inlet: EpollMember {
        unowned let owner: SecureConnection
        init(_ owner: SecureConnection) { self.owner = owner }
        func isReady(_ readiness: Readiness) { owner.pairIsReady(readiness) }
    }

    /// Bytes that the system holds for each end of the pair, about.
    private static let pairBuffer: Int32 = 32 << 10
    /// The first byte of a handshake.
    private static let handshake: UInt8 = 0x16

    private let hall: ServerHall
    private let client: Int32
    private let peer: ClientAddress
    private let session: TLSSession
    private var state = State.greeting
    private var number = -1
    /// Whether it counts as a connection of `peer`.
    private var hasSeat = true
    /// This end of the pair; negative without one.
    private var pair: Int32 = -1
    /// Bytes for the client, and for the library.
    private var outward: ArraySlice<UInt8> = []
    private var inward: ArraySlice<UInt8> = []
    /// The events that the system is asked for, while bytes are passed on.
    private var asked: (client: Readiness, pair: Readiness) = (.reading, .reading)
    private var isClientOver = false
    private var isLibraryOver = false
    /// Whether anything of the client's was handed to the library.
    private(set) var hasPassedOn = false
    /// Whether the first byte was looked at.
    private var hasLooked = false

    /// - Parameter client: a connected socket, its own from now on.
    init(_ client: Int32, from peer: ClientAddress, _ session: TLSSession, in hall: ServerHall) {
        (self.client, self.peer, self.session, self.hall) = (client, peer, session, hall)
    }

    /// Begins.
    func open() {
        number = hall.watchman.add(self)
        hall.watchman.enter(number, .head)
        Socket(client).set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        do { try hall.epoll.add(client, .reading, self) } catch { finish() }
    }

    func isReady(_ readiness: Readiness) {
        switch state {
        case .greeting: greet()
        case .passing: readiness.contains(.ended) ? finish() : pass()
        case .goodbye: waitForGoodbye()
        case .ended: break
        }
    }

    // MARK: Greeting

    private func greet() {
        guard isGreeting else { return }
        switch session.handshake() {
        case .moved: begin()
        case .waits: hall.epoll.change(client, session.wantsToWrite ? .writing : .reading)
        case .over, .failed: finish()
        }
    }

    /// Whether the client speaks TLS. A client that speaks HTTP gets an answer in HTTP.
    private var isGreeting: Bool {
        if hasLooked { return true }
        let first = Socket(client).firstByte
        if first == .waits { return false }
        hasLooked = true
        if first == .moved(Int(Self.handshake)) { return true }
        if case .moved = first {
            hall.door.countRefusal()
            let answer = hall.refusal(.malformed("this port speaks TLS: use https")).wholeText
            _ = answer.withUnsafeBytes(Socket(client).send)
            Socket(client).discard(hall.scratch)
        }
        finish()
        return false
    }

    /// Gives the library its end of a pair.
    private func begin() {
        var ends: [Int32] = [-1, -1]
        let type =
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            | Int32(SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return finish() }
        for end in ends { Socket(end).set(SOL_SOCKET, SO_SNDBUF, Self.pairBuffer) }
        pair = ends[0]
        hall.watchman.leave(number)
        state = .passing
        hall.epoll.change(client, .reading)
        do {
            try hall.epoll.add(pair, .reading, Inlet(self))
        } catch {
            close(ends[1])
            return finish()
        }
        hall.welcome(ends[1], from: peer, over: self)
        pass()
    }

    // MARK: Passing on

    private func pairIsReady(_ readiness: Readiness) {
        guard case .passing = state else { return }
        if readiness.contains(.ended) { takeRest() }
        pass()
    }

    private func pass() {
        passInward()
        passOutward()
        guard case .passing = state else { return }
        if isLibraryOver, outward.isEmpty { return sayGoodbye() }
        var (ofClient, ofPair): (Readiness, Readiness) = ([], [])
        if inward.isEmpty, !isClientOver { ofClient.insert(.reading) }
        if !outward.isEmpty { ofClient.insert(.writing) }
        if outward.isEmpty { ofPair.insert(.reading) }
        if !inward.isEmpty { ofPair.insert(.writing) }
        if ofClient != asked.client { hall.epoll.change(client, ofClient) }
        if ofPair != asked.pair, pair >= 0 { hall.epoll.change(pair, ofPair) }
        asked = (ofClient, ofPair)
    }

    /// Passes bytes from the client to the library, until either has to wait.
    private func passInward() {
        while case .passing = state, !isLibraryOver {
            if !inward.isEmpty {
                guard case .moved(let count) = inward.withUnsafeBytes(Socket(pair).pass) else {
                    return
                }
                inward.removeFirst(count)
                hasPassedOn = true
                continue
            }
            guard !isClientOver else { return }
            switch session.receive(hall.scratch) {
            case .moved(let count): inward = ArraySlice(hall.scratch[..<count])
            case .waits: return
            case .over:
                isClientOver = true
                Socket(pair).endSending()
            case .failed: finish()
            }
        }
    }

    /// Passes bytes from the library to the client, until either has to wait.
    private func passOutward() {
        while case .passing = state {
            if !outward.isEmpty {
                switch outward.withUnsafeBytes({ session.send($0) }) {
                case .moved(let count): outward.removeFirst(count)
                case .waits: return
                case .over, .failed: finish()
                }
                continue
            }
            guard !isLibraryOver else { return }
            switch Socket(pair).receive(hall.scratch) {
            case .moved(let count): outward = ArraySlice(hall.scratch[..<count])
            case .waits: return
            case .over, .failed: libraryIsOver()
            }
        }
    }

    /// Reads the rest after the library has closed its end, as the system reports that end forever.
    private func takeRest() {
        guard !isLibraryOver else { return }
        while case .moved(let count) = Socket(pair).receive(hall.scratch) {
            outward += hall.scratch[..<count]
        }
        libraryIsOver()
    }

    private func libraryIsOver() {
        isLibraryOver = true
        inward = []
        closePair()
        // The client has so long to read the last answer.
        hall.watchman.enter(number, .sending)
    }

    private func closePair() {
        guard pair >= 0 else { return }
        hall.epoll.remove(pair)
        close(pair)
        pair = -1
    }

    // MARK: The end

    private func sayGoodbye() {
        state = .goodbye
        session.sayGoodbye()
        Socket(client).endSending()
        hall.watchman.enter(number, .goodbye)
        hall.epoll.change(client, .reading)
        waitForGoodbye()
    }

    private func waitForGoodbye() {
        if Socket(client).discard(hall.scratch) { finish() }
    }

    private func finish() {
        guard leave() else { return }
        close(client)
        if hasSeat { hall.door.leave(peer) }
        hall.checkEnd()
    }

    /// Lets go of everything but the client's socket; false if that was done before.
    private func leave() -> Bool {
        if case .ended = state { return false }
        state = .ended
        (outward, inward) = ([], [])
        closePair()
        hall.epoll.remove(client)
        hall.watchman.remove(number)
        return true
    }

    func isLate(_ stage: ServerStage) { finish() }

    func serverEnds() {
        switch state {
        case .greeting, .goodbye: finish()
        case .passing, .ended: break
        }
    }

    /// Its last bytes come when the library is stopped.
    func serverIsOver() {}

    /// The library is stopped: sends what the system takes.
    func libraryHasStopped() {
        if case .passing = state { pass() }
        finish()
    }

    // MARK: WebSockets

    /// Hands the connection's seat to a WebSocket.
    func giveSeat() { hasSeat = false }

    /// Hands the session over to a WebSocket, which goes on where the library has stopped.
    ///
    /// - Parameters:
    ///   - end: the library's end of the pair.
    ///   - early: bytes that the library has read behind the head.
    func handOver(to channel: SocketChannel, _ end: Int32, early: UnsafeRawBufferPointer) {
        var (received, unsent) = (Array(early), Array(outward))
        while case .moved(let count) = Socket(end).receive(hall.scratch) {
            received += hall.scratch[..<count]
        }
        received += inward
        while pair >= 0, case .moved(let count) = Socket(pair).receive(hall.scratch) {
            unsent += hall.scratch[..<count]
        }
        guard leave() else { return channel.isLost() }
        if hasSeat { hall.door.leave(peer) }
        received.withUnsafeBytes { channel.open(Line(client, session), early: $0, unsent: unsent) }
    }
}
