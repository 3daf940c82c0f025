internal import CGLib
internal import Glibc
internal import HomingRuntime

/// Our own connection to a user's session bus, for one service on it.
///
/// The bus is `DBUS_SESSION_BUS_ADDRESS` or that of the user's runtime folder; it is never started.
/// When the connection is lost, the next call makes another.
@LoopActor final class SessionBus {
    private enum Link {
        case closed
        case opening([@LoopActor (BusError?) -> Void])
        case open(OpaquePointer)
    }

    /// `nil` where no session bus is to be expected.
    let address: String?
    private let told: @LoopActor (Event) -> Void
    private var link = Link.closed
    private var watch: guint = 0
    private var subscription: guint = 0

    /// The service's name, its object and its interface.
    struct Service {
        let name: String
        let path: String
        let interface: String
    }
    private let service: Service

    /// What the service does of itself.
    enum Event {
        /// It has started, or was running when the bus was joined; the bus's own name of it, which
        /// no other gets while the bus lives.
        case appeared(String)
        /// It has gone, or the bus.
        case vanished
        case signal(String, BusReader)
    }

    init(
        address: String? = nil, service: Service, told: @escaping @LoopActor (Event) -> Void
    ) {
        self.address = address ?? SessionBus.defaultAddress
        self.service = service
        self.told = told
    }

    private static var defaultAddress: String? {
        if let address = getenv("DBUS_SESSION_BUS_ADDRESS") { return String(cString: address) }
        guard let folder = getenv("XDG_RUNTIME_DIR") else { return nil }
        return "unix:path=\(String(cString: folder))/bus"
    }

    /// Calls a method of the service, which the bus may start for it.
    ///
    /// - Parameters:
    ///   - object: another of the service's objects, with the method's interface.
    ///   - timeout: milliseconds.
    func call(
        _ method: String, of object: (path: String, interface: String)? = nil,
        _ arguments: [BusValue] = [], timeout: Int32 = 5000,
        completion: @escaping @LoopActor (Result<BusReader, BusError>) -> Void
    ) {
        join { [weak self] error in
            guard let self, case .open(let connection) = self.link else {
                return completion(.failure(error ?? BusError(description: "no session bus")))
            }
            let pending = PendingReply(connection, completion)
            g_dbus_connection_call(
                connection, self.service.name, object?.path ?? self.service.path,
                object?.interface ?? self.service.interface, method,
                BusValue.tuple(arguments), nil, G_DBUS_CALL_FLAGS_NONE, timeout, nil,
                { PendingReply.receive($1, $2) }, Unmanaged.passRetained(pending).toOpaque())
        }
    }

    /// Lets go of the bus.
    func close() {
        guard case .open(let connection) = link else {
            link = .closed
            return
        }
        link = .closed
        if watch != 0 { g_bus_unwatch_name(watch) }
        if subscription != 0 { g_dbus_connection_signal_unsubscribe(connection, subscription) }
        watch = 0
        subscription = 0
        g_dbus_connection_close(connection, nil, nil, nil)
        g_object_unref(UnsafeMutableRawPointer(connection))
    }

    // MARK: Joining

    private func join(_ then: @escaping @LoopActor (BusError?) -> Void) {
        switch link {
        case .open(let connection) where g_dbus_connection_is_closed(connection) == 0: then(nil)
        case .open:
            close()
            join(then)
        case .opening(let waiting): link = .opening(waiting + [then])
        case .closed:
            guard let address else {
                return then(BusError(description: "there is no session bus"))
            }
            link = .opening([then])
            let flags = GDBusConnectionFlags(
                G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                    | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
            let pending = PendingBus { [weak self] result in
                guard let self else {
                    if case .success(let connection) = result {
                        g_object_unref(UnsafeMutableRawPointer(connection))
                    }
                    return
                }
                self.joined(result)
            }
            g_dbus_connection_new_for_address(
                address, flags, nil, nil, { PendingBus.receive($1, $2) },
                Unmanaged.passRetained(pending).toOpaque())
        }
    }

    private func joined(_ result: Result<OpaquePointer, BusError>) {
        guard case .opening(let waiting) = link else {
            if case .success(let connection) = result {
                g_object_unref(UnsafeMutableRawPointer(connection))
            }
            return
        }
        switch result {
        case .failure(let error):
            link = .closed
            for then in waiting { then(error) }
        case .success(let connection):
            // GLib would end the process with the bus.
            g_dbus_connection_set_exit_on_close(connection, 0)
            link = .open(connection)
            listen(on: connection)
            for then in waiting { then(nil) }
        }
    }

    private func listen(on connection: OpaquePointer) {
        let box = { Unmanaged.passRetained(Listener(self.told)).toOpaque() }
        let release: GDestroyNotify = { Listener.release($0) }
        // Named by its service, so that nobody else's signals are taken for its own.
        subscription = g_dbus_connection_signal_subscribe(
            connection, service.name, service.interface, nil, service.path, nil,
            G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, _, name, arguments, box in Listener.signal(name, arguments, box) }, box(),
            release)
        watch = g_bus_watch_name_on_connection(
            connection, service.name, G_BUS_NAME_WATCHER_FLAGS_NONE,
            { _, _, owner, box in
                Listener.tell(.appeared(owner.map { String(cString: $0) } ?? ""), box)
            },
            { _, _, box in Listener.tell(.vanished, box) }, box(), release)
    }
}
