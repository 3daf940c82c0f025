internal import CGLib
internal import HomingRuntime

/// A subscription to a signal on a bus, whoever owns the service's name just then; unsubscribed when
/// let go.
@LoopActor final class BusSignal {
    /// What the signal's first argument has to be.
    enum FirstArgument {
        case exactly(String)
        /// This name, or one below it: `org.mpris` for `org.mpris.MediaPlayer2`.
        case within(String)
    }

    private final class Handler {
        let run: @LoopActor (VariantTuple) -> Void
        init(_ run: @escaping @LoopActor (VariantTuple) -> Void) { self.run = run }
    }

    /// Only the loop's thread touches it, but `deinit` is not isolated.
    nonisolated(unsafe) private let connection: OpaquePointer
    private let identifier: guint

    /// Subscribes on a GDBusConnection.
    ///
    /// - Parameter run: gets the arguments.
    init(
        _ signal: String, of interface: String, at path: String, from sender: String,
        first argument: FirstArgument? = nil, on connection: OpaquePointer,
        _ run: @escaping @LoopActor (VariantTuple) -> Void
    ) {
        self.connection = connection
        g_object_ref(UnsafeMutableRawPointer(connection))
        let (text, flags): (String?, GDBusSignalFlags) =
            switch argument {
            case .exactly(let text): (text, G_DBUS_SIGNAL_FLAGS_NONE)
            case .within(let name): (name, G_DBUS_SIGNAL_FLAGS_MATCH_ARG0_NAMESPACE)
            case nil: (nil, G_DBUS_SIGNAL_FLAGS_NONE)
            }
        identifier = g_dbus_connection_signal_subscribe(
            connection, sender, interface, signal, path, text, flags,
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
        let lent = Lent((Unmanaged<Handler>.fromOpaque(box), VariantTuple(arguments)))
        LoopActor.assumeIsolated { lent.value.0.takeUnretainedValue().run(lent.value.1) }
    }
}
