internal import CGIO
public import HomingRuntime

/// A subscription to signals on a bus, whoever owns the service's name just then; ended when let go.
@LoopActor public final class BusSignal {
    /// Gets the signal's name, its arguments, and the path of the object that it came from.
    public typealias Handler = @LoopActor (String, [BusValue], String) -> Void

    /// Connection that only the loop's thread touches, but `deinit` is not isolated.
    nonisolated(unsafe) private let connection: OpaquePointer
    private let identifier: guint

    /// Subscribes on a GDBusConnection.
    ///
    /// - Parameters:
    ///   - signal: all of the interface's by default.
    ///   - path: of the object; any by default.
    ///   - name: which the first argument is, or is below of: `org.mpris` of `org.mpris.MediaPlayer2`.
    public init(
        _ signal: String? = nil, of interface: String, at path: String? = nil, from sender: String,
        within name: String? = nil, on connection: OpaquePointer, _ run: @escaping Handler
    ) {
        self.connection = connection
        g_object_ref(UnsafeMutableRawPointer(connection))
        let flags =
            name == nil ? G_DBUS_SIGNAL_FLAGS_NONE : G_DBUS_SIGNAL_FLAGS_MATCH_ARG0_NAMESPACE
        identifier = g_dbus_connection_signal_subscribe(
            connection, sender, interface, signal, path, name, flags,
            { _, _, path, _, name, arguments, box in
                BusSignal.receive(name, arguments, path, box)
            },
            Box<Handler>.retain(run), releaseBox)
    }

    deinit {
        g_dbus_connection_signal_unsubscribe(connection, identifier)
        g_object_unref(UnsafeMutableRawPointer(connection))
    }

    nonisolated private static func receive(
        _ name: UnsafePointer<CChar>?, _ arguments: OpaquePointer?, _ path: UnsafePointer<CChar>?,
        _ box: UnsafeMutableRawPointer?
    ) {
        guard let name, let arguments, let path, let box else { return }
        let values = BusValue(arguments).list ?? []
        let (handler, signal) = (Box<Handler>.value(box), String(cString: name))
        let place = String(cString: path)
        LoopActor.assumeIsolated { handler(signal, values, place) }
    }
}
