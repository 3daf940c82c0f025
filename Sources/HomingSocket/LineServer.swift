internal import Glibc
public import HomingRuntime

/// Listens on a program's socket, decides who may ask what, and hands each verb to `handler`.
@LoopActor public final class LineServer<Asked: Verb> {
    private let path: String
    private let descriptor: Int32
    private let trust: Trust
    private let idleLimit: Seconds
    private let takeNext: @LoopActor (Int32) -> Int32
    /// Whether a user sits at the machine, for whom room is kept.
    private let isPresent: @LoopActor (UInt32) -> Bool
    private let mayAsk: @LoopActor (Asked.Method, UInt32) -> Bool
    private let handler: @LoopActor (Asked, OpenRequest) -> Void
    private var accepting: Watch?
    /// Whether the last connection could not be taken, so that the journal tells it once.
    private var isShort = false
    private var admission = Admission()
    private var connections: [ObjectIdentifier: LineConnection] = [:]

    /// Listens at once. Throws if another program does already, or the folder cannot be used.
    ///
    /// - Parameters:
    ///   - isPresent: whether a user sits at the machine: for them room is kept.
    ///   - mayAsk: whether a user who is not trusted may use a method that is not for everyone.
    public convenience init(
        path: String, isPresent: @escaping @LoopActor (UInt32) -> Bool = { _ in false },
        mayAsk: @escaping @LoopActor (Asked.Method, UInt32) -> Bool = { _, _ in false },
        handler: @escaping @LoopActor (Asked, OpenRequest) -> Void
    ) throws(SystemError) {
        try self.init(
            path: path, trust: .ofThisProcess(group: Asked.program), isPresent: isPresent,
            mayAsk: mayAsk, handler: handler)
    }

    /// - Parameters:
    ///   - trust: who may do everything.
    ///   - isPresent: whether a user sits at the machine.
    ///   - mayAsk: whether a user who is not trusted may use a method that is not for everyone.
    ///   - idleLimit: seconds after which a stranger's connection that asks nothing is ended.
    ///   - takeNext: accept(2), of which tests make failures.
    init(
        path: String, trust: Trust,
        isPresent: @escaping @LoopActor (UInt32) -> Bool = { _ in false },
        mayAsk: @escaping @LoopActor (Asked.Method, UInt32) -> Bool = { _, _ in false },
        idleLimit: Seconds = 30,
        takeNext: @escaping @LoopActor (Int32) -> Int32 = { Glibc.accept($0, nil, nil) },
        handler: @escaping @LoopActor (Asked, OpenRequest) -> Void
    ) throws(SystemError) {
        self.path = path
        self.trust = trust
        self.idleLimit = idleLimit
        self.takeNext = takeNext
        self.isPresent = isPresent
        self.mayAsk = mayAsk
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
            // The system is short of descriptors or memory, and the client that waits would wake us
            // without end.
            accepting = Watch.once(after: 1) { [weak self] in self?.startAccepting() }
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
        let connection = LineConnection(
            descriptor: client, user: peer.user, isTrusted: isTrusted,
            idleLimit: isTrusted ? nil : idleLimit
        ) { [weak self] (line, connection) throws(RequestRefusal) in
            try self?.serveLine(line, connection)
        }
        guard admission.enter(peer.user, standing) else {
            connection.refuse(0, .tooManyConnections(to: Asked.server))
            return connection.close()
        }
        if !isTrusted { connection.allowWaiting(Bound.strangersAnswers) }
        let key = ObjectIdentifier(connection)
        connections[key] = connection
        connection.atEnd { [weak self] in
            self?.connections[key] = nil
            self?.admission.leave(peer.user, standing)
        }
    }

    /// Decides by the method whether the client may ask, and only then reads the parameters.
    private func serveLine(_ line: [UInt8], _ connection: LineConnection) throws(RequestRefusal) {
        let received = try ReceivedRequest<Asked>(line)
        let request = OpenRequest(connection: connection, id: received.id)
        let method = received.method
        guard connection.isTrusted || method.isForEveryone || mayAsk(method, connection.user)
        else {
            return request.refuse(.notPermitted(by: Asked.server, group: Asked.program))
        }
        do throws(LineError) {
            handler(try received.verb(), request)
        } catch {
            request.refuse(error)
        }
    }

    /// Closes every connection and removes the socket.
    public func shutdown() {
        accepting?.cancel()
        accepting = nil
        for connection in Array(connections.values) { connection.close() }
        unlink(path)
        Glibc.close(descriptor)
    }
}

extension LineError {
    fileprivate static func tooManyConnections(to server: String) -> LineError {
        LineError(
            code: EX_UNAVAILABLE, "the \(server) has too many connections",
            hint: "try again in a minute")
    }

    fileprivate static func notPermitted(by server: String, group: String) -> LineError {
        LineError(
            code: EX_NOPERM, "permission denied",
            hint: "use sudo, or join the group: sudo usermod -aG \(group) $USER, then log in again")
    }
}
