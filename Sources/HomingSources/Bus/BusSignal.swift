internal import CGLib
internal import HomingRuntime

/// A subscription to signals on a bus, whoever sends them; ends when let go.
@LoopActor final class BusSignal {
    private final class Handler {
        let run: @LoopActor () -> Void
        init(_ run: @escaping @LoopActor () -> Void) { self.run = run }
    }

    /// Only the loop's thread touches it, but `deinit` is not isolated.
    nonisolated(unsafe) private let connection: OpaquePointer
    private let identifier: guint

    /// - Parameters:
    ///   - connection: a GDBusConnection.
    ///   - path: of the object that signals; `nil` is any.
    ///   - namespace: the signal's first argument is this name or one below it; `nil` is any.
    init(
        _ signal: String, of interface: String, at path: String?, namespace: String? = nil,
        on connection: OpaquePointer, _ run: @escaping @LoopActor () -> Void
    ) {
        self.connection = connection
        g_object_ref(UnsafeMutableRawPointer(connection))
        identifier = g_dbus_connection_signal_subscribe(
            connection, nil, interface, signal, path, namespace,
            namespace == nil
                ? G_DBUS_SIGNAL_FLAGS_NONE : G_DBUS_SIGNAL_FLAGS_MATCH_ARG0_NAMESPACE,
            { _, _, _, _, _, _, box in
                guard let box else { return }
                nonisolated(unsafe) let handler = Unmanaged<Handler>.fromOpaque(box)
                LoopActor.assumeIsolated { handler.takeUnretainedValue().run() }
            },
            Unmanaged.passRetained(Handler(run)).toOpaque(),
            { box in box.map { Unmanaged<Handler>.fromOpaque($0).release() } })
    }

    deinit {
        g_dbus_connection_signal_unsubscribe(connection, identifier)
        g_object_unref(UnsafeMutableRawPointer(connection))
    }
}
