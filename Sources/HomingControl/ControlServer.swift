internal import CGLib
internal import Glibc
public import HomingRuntime

/// Listens on the control socket and hands each request to `handler`.
@LoopActor public final class ControlServer {
    /// Connections at one time; more are turned away.
    static let maxConnections = 32

    private let path: String
    private let descriptor: Int32
    private let handler: @LoopActor (ControlRequest, ControlConnection) -> Void
    private var accepting: Watch?
    private var connections: [ObjectIdentifier: ControlConnection] = [:]

    /// Listens at once. Throws if another daemon does already, or the folder is not ours.
    public init(
        path: String, handler: @escaping @LoopActor (ControlRequest, ControlConnection) -> Void
    ) throws(SystemError) {
        self.path = path
        self.handler = handler
        descriptor = try UnixSocket.listen(on: path)
        accepting = Watch.readable(descriptor) { [weak self] in
            self?.accept()
            return .again
        }
    }

    private func accept() {
        let client = Glibc.accept(descriptor, nil, nil)
        guard client >= 0 else { return }
        // We are the only thread that could fork between these calls.
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        _ = fcntl(client, F_SETFL, O_NONBLOCK)
        guard connections.count < Self.maxConnections, let peer = Peer(of: client) else {
            close(client)
            return
        }
        let connection = ControlConnection(descriptor: client, peer: peer, handler: handler)
        let key = ObjectIdentifier(connection)
        connections[key] = connection
        connection.onClose = { [weak self] in self?.connections[key] = nil }
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
