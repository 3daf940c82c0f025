internal import CGLib
internal import HomingRuntime

/// A signal of an object on the bus, whoever owns the service's name just then; unsubscribed when
/// let go.
@LoopActor final class BusSignal {
    private final class Handler {
        let run: @LoopActor (VariantTuple) -> Void
        init(_ run: @escaping @LoopActor (VariantTuple) -> Void) { self.run = run }
    }

    /// Only the loop's thread touches it, but `deinit` is not isolated.
    nonisolated(unsafe) private let connection: OpaquePointer
    private let identifier: guint

    /// Subscribes on a GDBusConnection.
    ///
    /// - Parameters:
    ///   - argument: only signals whose first argument is this string.
    ///   - run: gets the arguments.
    init(
        _ interface: String, _ name: String, at path: String, of sender: String,
        on connection: OpaquePointer, argument: String? = nil,
        _ run: @escaping @LoopActor (VariantTuple) -> Void
    ) {
        self.connection = connection
        g_object_ref(UnsafeMutableRawPointer(connection))
        identifier = g_dbus_connection_signal_subscribe(
            connection, sender, interface, name, path, argument, G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, _, _, arguments, box in BusSignal.receive(arguments, box) },
            Unmanaged.passRetained(Handler(run)).toOpaque(),
            { $0.map { Unmanaged<Handler>.fromOpaque($0).release() } })
    }

    deinit {
        g_dbus_connection_signal_unsubscribe(connection, identifier)
        g_object_unref(UnsafeMutableRawPointer(connection))
    }

    nonisolated private static func receive(
        _ arguments: OpaquePointer?, _ box: UnsafeMutableRawPointer?
    ) {
        guard let arguments, let box else { return }
        nonisolated(unsafe) let handler = Unmanaged<Handler>.fromOpaque(box)
        nonisolated(unsafe) let lent = VariantTuple(arguments)
        LoopActor.assumeIsolated { handler.takeUnretainedValue().run(lent) }
    }
}
