internal import CMicroHTTPD
internal import Glibc
internal import HomingRuntime

/// libmicrohttpd without a thread and a listening socket of its own: it is given connections, and run
/// whenever its epoll descriptor is ready.
@LoopActor final class Daemon: EpollMember {
    /// The connection that is being given to the library, for its callback.
    @LoopActor private final class Newcomer {
        var connection: HTTPConnection?
    }

    /// Runs in one turn of the loop, while something is left to do that no descriptor shows.
    private static let runs = 4
    /// Seconds until it is run again where such runs do nothing. The library asks to be run without
    /// end while a client sends what it neither takes nor refuses, such as the endless line of a
    /// chunk's size, and would take all of the processor.
    private static let respite: Seconds = 0.005

    private let epoll: Epoll
    private let handle: OpaquePointer
    private let descriptor: Int32
    private let newcomer = Newcomer()
    /// Whether the library is at work: it may be neither run nor stopped then.
    private var isRunning = false
    private var isStopped = false
    /// Whether a connection has been told to go on since the library was run last: no descriptor
    /// shows it.
    private var isAwaited = false
    private var more: Watch?
    /// Whether the library has called since it was run.
    private var hasCalled = false

    /// - Parameters:
    ///   - connections: the most that it takes.
    ///   - memory: bytes for the head of one connection's request and of its answer.
    init(epoll: Epoll, connections: Int, memory: Int) throws(ServerFailure) {
        let context = Unmanaged.passUnretained(newcomer).toOpaque()
        guard
            let handle = homing_mhd_start(
                Self.target, Self.handler, Self.completed, Self.notified, context,
                UInt32(clamping: max(1, connections)), max(1 << 10, min(memory, 1 << 24)))
        else { throw ServerFailure("cannot serve: libmicrohttpd does not start") }
        let descriptor = homing_mhd_epoll(handle)
        (self.epoll, self.handle, self.descriptor) = (epoll, handle, descriptor)
        do {
            try epoll.add(descriptor, .reading, self)
        } catch {
            MHD_stop_daemon(handle)
            throw ServerFailure("cannot serve: \(error)")
        }
    }

    /// Gives it a client's socket, which it closes.
    func add(_ client: Int32, for connection: HTTPConnection) {
        newcomer.connection = connection
        var address = sockaddr()
        let size = socklen_t(MemoryLayout<sockaddr>.size)
        MHD_add_connection(handle, client, &address, size)
        newcomer.connection = nil
    }

    func isReady(_ readiness: Readiness) { run() }

    /// Does what there is to do; not from within the library.
    func run() {
        guard !isRunning, !isStopped else { return }
        (isRunning, more) = (true, nil)
        for _ in 0..<Self.runs {
            (isAwaited, hasCalled) = (false, false)
            MHD_run(handle)
            guard isPending else { break }
        }
        isRunning = false
        if isPending { runLater(after: isAwaited || hasCalled ? 0 : Self.respite) }
    }

    private var isPending: Bool { isAwaited || homing_mhd_is_pending(handle) != 0 }

    private func runLater(after seconds: Seconds) {
        more = Watch.once(after: seconds) { [weak self] in self?.run() }
    }

    /// The library has something done: it is not idle.
    func hasDoneSomething() { hasCalled = true }

    /// Has a connection go on that was suspended, in the loop's next turn with all others.
    func resume(_ connection: OpaquePointer) {
        MHD_resume_connection(connection)
        expectMore()
    }

    /// Is run again soon: something was begun that no descriptor shows.
    func expectMore() {
        if !isAwaited, !isRunning { runLater(after: 0) }
        isAwaited = true
    }

    /// Ends all connections, none of which may wait for an answer; not from within the library.
    func stop() {
        precondition(!isRunning, "the library would be stopped by itself")
        guard !isStopped else { return }
        (isStopped, more) = (true, nil)
        epoll.remove(descriptor)
        MHD_stop_daemon(handle)
    }

    // MARK: What the library calls, on the loop's thread

    private static let notified: MHD_NotifyConnectionCallback = { context, handle, place, code in
        guard let context, let handle, let place else { return }
        if homing_mhd_is_start(code) != 0 {
            let newcomer = Unmanaged<Newcomer>.fromOpaque(context)
            let lent = Lent((handle, place))
            LoopActor.assumeIsolated {
                guard let connection = newcomer.takeUnretainedValue().connection else { return }
                lent.value.1.pointee = Unmanaged.passUnretained(connection).toOpaque()
                connection.hasStarted(lent.value.0)
            }
        } else if let me = place.pointee {
            let connection = Unmanaged<HTTPConnection>.fromOpaque(me)
            LoopActor.assumeIsolated { connection.takeUnretainedValue().hasClosed() }
        }
    }

    private static let target: homing_mhd_target_callback = { _, target, handle in
        guard let target, let handle, let me = homing_mhd_context(handle) else { return nil }
        let connection = Unmanaged<HTTPConnection>.fromOpaque(me)
        let text = Lent(UnsafeRawBufferPointer(start: target, count: strlen(target)))
        LoopActor.assumeIsolated { connection.takeUnretainedValue().current?.aim(text.value) }
        return nil
    }

    /// Called when a head is whole, for each piece of the body, when all is there, and when it is to
    /// go on after a pause.
    private static let handler: MHD_AccessHandlerCallback = {
        _, handle, url, method, version, data, size, place in
        guard let handle, let url, let method, let version, let size, let place,
            let me = homing_mhd_context(handle)
        else { return .NO }
        let connection = Unmanaged<HTTPConnection>.fromOpaque(me)
        if place.pointee == nil {
            place.pointee = me
            let line = Lent(RequestLine(method: method, url: url, version: version))
            return LoopActor.assumeIsolated {
                connection.takeUnretainedValue().current?.begin(line.value) == true ? .YES : .NO
            }
        }
        guard size.pointee > 0 else {
            return LoopActor.assumeIsolated {
                connection.takeUnretainedValue().current?.conclude() == true ? .YES : .NO
            }
        }
        let piece = Lent(UnsafeRawBufferPointer(start: data, count: size.pointee))
        size.pointee = 0
        return LoopActor.assumeIsolated {
            connection.takeUnretainedValue().current?.addBodyPiece(piece.value) == true ? .YES : .NO
        }
    }

    private static let completed: MHD_RequestCompletedCallback = { _, handle, place, _ in
        guard let me = place?.pointee else { return }
        place?.pointee = nil
        let connection = Unmanaged<HTTPConnection>.fromOpaque(me)
        LoopActor.assumeIsolated { connection.takeUnretainedValue().hasFinished() }
    }
}
