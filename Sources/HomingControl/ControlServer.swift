internal import Glibc
internal import HomingBase
public import HomingRuntime

/// Listens on the control socket and hands each request to `handler`.
@LoopActor public final class ControlServer {
    /// Seconds until connections are taken again after one could not be: the system is short of
    /// descriptors or memory, and the client that waits would wake us without end.
    static let pause: Seconds = 1

    private let path: String
    private let descriptor: Int32
    private let trust: Trust
    private let idleLimit: Seconds
    private let takeNext: @LoopActor (Int32) -> Int32
    /// Whether a user sits at the machine, for whom room is kept.
    private let isPresent: @LoopActor (UInt32) -> Bool
    private let handler: @LoopActor (ReceivedRequest, ControlConnection) -> Void
    private var accepting: Watch?
    /// Whether the last connection could not be taken, so that the journal tells it once.
    private var isShort = false
    private var admission = Admission()
    private var connections: [ObjectIdentifier: ControlConnection] = [:]

    /// Listens at once. Throws if another daemon does already, or the folder cannot be used.
    ///
    /// - Parameter isPresent: whether a user sits at the machine: for them room is kept.
    public convenience init(
        path: String, isPresent: @escaping @LoopActor (UInt32) -> Bool = { _ in false },
        handler: @escaping @LoopActor (ReceivedRequest, ControlConnection) -> Void
    ) throws(SystemError) {
        try self.init(
            path: path, trust: .ofThisProcess(), isPresent: isPresent, handler: handler)
    }

    /// - Parameters:
    ///   - trust: who may do everything.
    ///   - isPresent: whether a user sits at the machine.
    ///   - idleLimit: seconds after which a stranger's connection that asks nothing is ended.
    ///   - takeNext: accept(2), of which tests make failures.
    init(
        path: String, trust: Trust,
        isPresent: @escaping @LoopActor (UInt32) -> Bool = { _ in false },
        idleLimit: Seconds = 30,
        takeNext: @escaping @LoopActor (Int32) -> Int32 = { Glibc.accept($0, nil, nil) },
        handler: @escaping @LoopActor (ReceivedRequest, ControlConnection) -> Void
    ) throws(SystemError) {
        self.path = path
        self.trust = trust
        self.idleLimit = idleLimit
        self.takeNext = takeNext
        self.isPresent = isPresent
        self.handler = handler
        descriptor = try UnixSocket.listen(on: path)
        startAccepting()
    }

    private func startAccepting() {
        accepting = Watch.readable(descriptor) { [weak self] in self?.accept() ?? .done }
    }

    private func accept() -> Watch.Next {
        let client = takeNext(descriptor)
        if client >= 0 {
            isShort = false
            welcome(client)
        } else if ![EAGAIN, EINTR, ECONNABORTED].contains(errno) {
            if !isShort { Log.warning("\(SystemError("cannot take a connection on \(path)"))") }
            isShort = true
            accepting = Watch.timer(Self.pause) { [weak self] in
                self?.startAccepting()
                return .done
            }
            return .done
        }
        return .again
    }

    private func welcome(_ client: Int32) {
        // We are the only thread that could fork between these calls.
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        _ = fcntl(client, F_SETFL, O_NONBLOCK)
        guard let peer = Peer(of: client) else {
            close(client)
            return
        }
        let isTrusted = trust.includes(peer)
        let standing: Admission.Standing =
            isTrusted ? .trusted : isPresent(peer.user) ? .present : .stranger
        let connection = ControlConnection(
            descriptor: client, user: peer.user, isTrusted: isTrusted,
            idleLimit: isTrusted ? nil : idleLimit, handler: handler)
        guard admission.enter(peer.user, standing) else {
            connection.refuse(0, Self.tooMany)
            return connection.close()
        }
        if !isTrusted { connection.allowWaiting(Bound.strangersAnswers) }
        let key = ObjectIdentifier(connection)
        connections[key] = connection
        connection.onClose = { [weak self] in
            self?.connections[key] = nil
            self?.admission.leave(peer.user, standing)
        }
    }

    private static let tooMany = ControlError(
        .unavailable, "the daemon has too many connections", hint: "try again in a minute")

    /// Closes every connection and removes the socket.
    public func shutdown() {
        accepting?.cancel()
        accepting = nil
        for connection in Array(connections.values) { connection.close() }
        unlink(path)
        Glibc.close(descriptor)
    }
}
