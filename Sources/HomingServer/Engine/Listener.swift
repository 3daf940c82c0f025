internal import Glibc
internal import HomingRuntime

/// A listening socket.
@LoopActor final class Listener: EpollMember {
    /// Connections that are taken in one turn of the loop.
    private static let most = 64
    /// Connections that may wait to be taken; the kernel may allow fewer (net.core.somaxconn).
    private static let backlog: Int32 = 4096

    /// With the port that the system chose.
    let address: ListenAddress
    private let descriptor: Int32
    private let isSecure: Bool
    private let clock: any Clockwork
    private unowned let hall: ServerHall
    private var isOpen = true
    private var pause: (any Alarm)?
    /// Whether the last connection could not be taken, so that the journal tells it once.
    private var isShort = false

    /// - Parameters:
    ///   - isSecure: whether TLS is spoken there.
    ///   - onlySix: whether an IPv6 socket takes no IPv4.
    init(
        _ address: ListenAddress, isSecure: Bool, onlySix: Bool, clock: any Clockwork,
        hall: ServerHall
    ) throws(ServerFailure) {
        (self.isSecure, self.clock, self.hall) = (isSecure, clock, hall)
        do throws(SystemError) {
            descriptor = try SocketAddress(address).listen(backlog: Self.backlog, onlySix: onlySix)
            self.address = SocketAddress.bound(descriptor, as: address)
            try hall.epoll.add(descriptor, .reading, self)
        } catch {
            throw ServerFailure("\(error)", at: address, number: error.number)
        }
    }

    /// Stops listening.
    func close() {
        guard isOpen else { return }
        (isOpen, pause) = (false, nil)
        hall.epoll.remove(descriptor)
        Glibc.close(descriptor)
        if case .unix(let path) = address { try? SocketFile.removeLeftover(path) }
    }

    func isReady(_ readiness: Readiness) {
        for _ in 0..<Self.most {
            var peer = sockaddr_storage()
            var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let client = withUnsafeMutablePointer(to: &peer) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    accept(descriptor, $0, &size)
                }
            }
            guard client >= 0 else { return refused() }
            isShort = false
            // No other thread forks between these calls.
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            _ = fcntl(client, F_SETFL, O_NONBLOCK)
            hall.welcome(client, from: SocketAddress.client(of: peer), isSecure: isSecure)
        }
    }

    private func refused() {
        if [EAGAIN, EINTR, ECONNABORTED, EPROTO, ENETDOWN, EHOSTUNREACH].contains(errno) { return }
        if !isShort { Log.warning("\(SystemError("cannot take a connection on \(address)"))") }
        isShort = true
        // The system is short of descriptors or memory, and the client that waits would wake us
        // without end.
        hall.epoll.change(descriptor, [])
        pause = clock.once(after: 1) { [weak self] in
            guard let self, isOpen else { return }
            hall.epoll.change(descriptor, .reading)
        }
    }
}
