internal import CGLib
internal import HomingBase
public import HomingRuntime

/// Who wants to know of the bus's coming and going.
@LoopActor protocol BusSubscriber: AnyObject {
    /// The bus is there; the connection, a GDBusConnection, is good until `busDisconnected()`.
    func busConnected(_ connection: OpaquePointer)
    /// The bus is away, or was never there. Handlers and proxies of the connection are dead.
    func busDisconnected()
}

/// Our own connection to the system bus, opened again for ever when it is lost or absent.
///
/// It is never GLib's shared one (`g_bus_get`): that ends the process when the bus goes away. The
/// bus is `DBUS_SYSTEM_BUS_ADDRESS` if that is set, else the well-known one.
@LoopActor public final class SystemBus {
    private enum Link {
        case closed
        case opening(PendingCall, deadline: Watch)
        case open(OpaquePointer, closed: SignalHandler)
        case waiting(Watch)
    }

    /// Seconds a bus may take to greet us.
    private static let openingDeadline: Seconds = 10

    private let address: String?
    private var rhythm: ReconnectRhythm
    private var link = Link.closed
    /// Whether one try has ended, so that "not connected" means "absent" and not "not yet".
    private var tried = false
    private var subscribers: [any BusSubscriber] = []

    /// - Parameter address: a D-Bus address, such as `unix:path=/run/bus`; the system bus by default.
    public init(address: String? = nil, rhythm: ReconnectRhythm = ReconnectRhythm()) {
        self.address = address
        self.rhythm = rhythm
    }

    /// Whether the bus has greeted us and not gone since.
    public var isConnected: Bool { connection != nil }

    private var connection: OpaquePointer? {
        if case .open(let connection, _) = link { return connection }
        return nil
    }

    /// Opens it and keeps it open. Opening twice is opening once.
    public func open() {
        if case .closed = link { connect() }
    }

    /// Closes it and stops trying. Subscribers are not told: they are shut down first.
    public func shutdown() {
        if let connection { release(connection) }
        link = .closed
        tried = false
        subscribers = []
    }

    /// Adds a subscriber, which is told at once how things are, if that is known.
    func subscribe(_ subscriber: any BusSubscriber) {
        guard !subscribers.contains(where: { $0 === subscriber }) else { return }
        subscribers.append(subscriber)
        if let connection {
            subscriber.busConnected(connection)
        } else if tried {
            subscriber.busDisconnected()
        }
    }

    /// Removes a subscriber; it is not told.
    func unsubscribe(_ subscriber: any BusSubscriber) {
        subscribers.removeAll { $0 === subscriber }
    }

    private func connect() {
        switch findAddress() {
        case .success(let address): connect(to: address)
        case .failure(let error): failed("no address of the system bus: \(error)")
        }
    }

    private func findAddress() -> Result<String, GLibError> {
        if let address { return .success(address) }
        return GLibError.check { g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SYSTEM, nil, &$0) }
            .map { text in
                defer { g_free(text) }
                return String(cString: text)
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
            completion: { [weak self] outcome in self?.answered(outcome) })
        let deadline = Watch.retry(after: Self.openingDeadline) { [weak self] in
            self?.failed("the system bus does not greet us")
        }
        link = .opening(call, deadline: deadline)
    }

    private func answered(_ outcome: Result<OpaquePointer, GLibError>) {
        switch outcome {
        case .failure(let error): failed("no system bus: \(error)")
        case .success(let connection): opened(connection)
        }
    }

    private func opened(_ connection: OpaquePointer) {
        Log.debug("the system bus is there")
        g_dbus_connection_set_exit_on_close(connection, 0)
        let closed = SignalHandler(UnsafeMutableRawPointer(connection), "closed") { [weak self] in
            self?.lost(connection)
        }
        link = .open(connection, closed: closed)
        tried = true
        rhythm.settled()
        // The bus may have gone between its greeting and our handler.
        if g_dbus_connection_is_closed(connection) != 0 { return lost(connection) }
        for subscriber in subscribers where isConnected { subscriber.busConnected(connection) }
    }

    private func lost(_ connection: OpaquePointer) {
        guard self.connection == connection else { return }
        failed("the system bus closed the connection")
        g_object_unref(UnsafeMutableRawPointer(connection))
    }

    private func failed(_ reason: String) {
        Log.debug(reason)
        let first = !tried
        let wasOpen = isConnected
        tried = true
        link = .waiting(
            Watch.retry(after: rhythm.failed(at: SystemClock.now())) { [weak self] in
                self?.connect()
            })
        guard first || wasOpen else { return }
        for subscriber in subscribers { subscriber.busDisconnected() }
    }

    private func release(_ connection: OpaquePointer) {
        link = .closed
        g_dbus_connection_close(connection, nil, nil, nil)
        g_object_unref(UnsafeMutableRawPointer(connection))
    }
}
