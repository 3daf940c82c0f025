internal import CGIO
public import HomingRuntime

/// Object that wants to know of the bus's coming and going.
@LoopActor public protocol BusSubscriber: AnyObject {
    /// The bus is there; the connection, a GDBusConnection, is good until `busDisconnected()`.
    func busConnected(_ connection: OpaquePointer)
    /// The bus is away, or was never there. Handlers and proxies of the connection are dead.
    func busDisconnected()
}

/// Our own connection to a bus. Once opened it is opened again forever when it is lost or absent.
/// A bus that nobody opens is joined by a call, and left after the last call unless somebody
/// subscribes to it.
///
/// It is never GLib's shared one (`g_bus_get`): that ends the process when the bus goes away.
@LoopActor public final class Bus {
    private enum Link {
        case closed
        case opening(PendingCall, deadline: any Alarm)
        case open(OpaquePointer, closed: SignalHandler)
        case waiting(any Alarm)
    }

    private struct Subscription {
        weak var subscriber: (any BusSubscriber)?
    }

    private typealias Caller = @LoopActor (Result<OpaquePointer, GLibError>) -> Void

    /// Seconds a bus may take to greet us.
    private static let openingDeadline: Seconds = 10

    private let place: Place
    private let clock: any Clockwork
    private var pacer: Pacer
    private var link = Link.closed
    /// Whether it is opened again when it is lost.
    private var isKept = false
    /// Whether one try has ended, so that "not connected" means "absent" and not "not yet".
    private var tried = false
    private var subscriptions: [Subscription] = []
    /// Those that wait for the bus that is being opened.
    private var callers: [Caller] = []
    private var calls: [Int: PendingCall] = [:]
    private var lastCall = 0

    public init(
        _ place: Place, rhythm: Pacer.Rhythm = .reconnecting,
        clock: any Clockwork
    ) {
        self.place = place
        self.clock = clock
        pacer = Pacer(rhythm)
    }

    /// Whether the bus has greeted us and not gone since.
    public var isConnected: Bool { connection != nil }

    private var connection: OpaquePointer? {
        if case .open(let connection, _) = link { connection } else { nil }
    }

    /// Opens it and keeps it open. Opening twice is opening once.
    public func open() {
        isKept = true
        if case .closed = link { connect() }
    }

    /// Closes it and stops trying. Subscribers are not told: they are shut down first. Calls under
    /// way are not answered.
    public func shutdown() {
        if let connection { release(connection) }
        link = .closed
        isKept = false
        tried = false
        subscriptions = []
        callers = []
        calls = [:]
    }

    /// Adds a subscriber, which is told at once how things are, if that is known. The bus does not
    /// keep it alive.
    public func subscribe(_ subscriber: any BusSubscriber) {
        guard !subscribers.contains(where: { $0 === subscriber }) else { return }
        subscriptions.append(Subscription(subscriber: subscriber))
        if let connection {
            subscriber.busConnected(connection)
        } else if tried {
            subscriber.busDisconnected()
        }
    }

    /// Removes a subscriber; it is not told.
    public func unsubscribe(_ subscriber: any BusSubscriber) {
        subscriptions.removeAll { $0.subscriber == nil || $0.subscriber === subscriber }
    }

    private var subscribers: [any BusSubscriber] { subscriptions.compactMap(\.subscriber) }

    /// Calls a method of a service; the bus is joined first.
    ///
    /// - Parameters:
    ///   - starts: whether the service may be started for it.
    ///   - timeout: milliseconds.
    ///   - completion: gets the values that the method answers.
    public func call(
        _ method: String, of interface: String, at path: String, _ service: String,
        _ arguments: [BusArgument] = [], starts: Bool = true, timeout: Int32 = 10_000,
        completion: @escaping @LoopActor (Result<[BusValue], GLibError>) -> Void
    ) {
        join { [weak self] outcome in
            guard let self else { return }
            switch outcome {
            case .failure(let error): completion(.failure(error))
            case .success(let connection):
                self.lastCall += 1
                let number = self.lastCall
                self.calls[number] = PendingCall.method(
                    method, of: interface, at: path, service, arguments, starts: starts,
                    timeout: timeout, on: connection
                ) { [weak self] outcome in
                    self?.calls[number] = nil
                    completion(outcome)
                    self?.leaveIfUnused()
                }
            }
        }
    }

    /// The same for a command that asks one thing after the other. Not answered after `shutdown()`.
    public func call(
        _ method: String, of interface: String, at path: String, _ service: String,
        _ arguments: [BusArgument] = [], starts: Bool = true, timeout: Int32 = 3000
    ) async -> Result<[BusValue], GLibError> {
        await withCheckedContinuation { continuation in
            call(
                method, of: interface, at: path, service, arguments, starts: starts,
                timeout: timeout
            ) { continuation.resume(returning: $0) }
        }
    }

    private func leaveIfUnused() {
        guard let connection, !isKept, calls.isEmpty, subscribers.isEmpty else { return }
        release(connection)
    }

    // MARK: Connecting

    private func join(_ caller: @escaping Caller) {
        switch link {
        case .open(let connection, _): caller(.success(connection))
        case .opening: callers.append(caller)
        case .waiting: caller(.failure(GLibError("there is no \(place.title)")))
        case .closed:
            callers.append(caller)
            connect()
        }
    }

    private func connect() {
        switch place.address() {
        case .success(let address): connect(to: address)
        case .failure(let error): failed(error)
        }
    }

    private func connect(to address: String) {
        let flags = GDBusConnectionFlags(
            rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
        let call = PendingCall(
            { g_dbus_connection_new_for_address(address, flags, nil, $0, $1, $2) },
            finish: { result in
                GLibError.check { g_dbus_connection_new_for_address_finish(result, &$0) }
            },
            discard: { g_object_unref(UnsafeMutableRawPointer($0)) },
            completion: { [weak self] outcome in
                switch outcome {
                case .failure(let error): self?.failed(error)
                case .success(let connection): self?.opened(connection)
                }
            })
        let deadline = clock.retry(after: Self.openingDeadline) { [weak self] in
            guard let self else { return }
            self.failed(GLibError("the \(self.place.title) does not answer the greeting"))
        }
        link = .opening(call, deadline: deadline)
    }

    private func opened(_ connection: OpaquePointer) {
        Log.debug("the \(place.title) is there")
        g_dbus_connection_set_exit_on_close(connection, 0)
        let closed = SignalHandler(UnsafeMutableRawPointer(connection), "closed") { [weak self] in
            self?.lost(connection)
        }
        link = .open(connection, closed: closed)
        tried = true
        pacer.succeeded()
        // The bus may have gone between its greeting and our handler.
        if g_dbus_connection_is_closed(connection) != 0 { return lost(connection) }
        for subscriber in subscribers where isConnected { subscriber.busConnected(connection) }
        answerCallers(.success(connection))
    }

    private func answerCallers(_ outcome: Result<OpaquePointer, GLibError>) {
        let waiting = callers
        callers = []
        for caller in waiting { caller(outcome) }
    }

    private func lost(_ connection: OpaquePointer) {
        guard self.connection == connection else { return }
        failed(GLibError("the \(place.title) closed the connection"))
        g_object_unref(UnsafeMutableRawPointer(connection))
    }

    private func failed(_ error: GLibError) {
        Log.debug("no \(place.title): \(error)")
        let first = !tried
        let wasOpen = isConnected
        tried = true
        link = .closed
        if isKept {
            link = .waiting(
                clock.retry(after: pacer.failed(at: clock.now())) { [weak self] in
                    self?.connect()
                })
        }
        if first || wasOpen {
            for subscriber in subscribers { subscriber.busDisconnected() }
        }
        answerCallers(.failure(error))
    }

    private func release(_ connection: OpaquePointer) {
        link = .closed
        g_dbus_connection_close(connection, nil, nil, nil)
        g_object_unref(UnsafeMutableRawPointer(connection))
    }
}
