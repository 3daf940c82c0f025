internal import CGLib

/// A D-Bus connection for a command that asks a few questions and ends: each call waits for its
/// answer. The daemon has sources that never wait.
public final class BlockingBus {
    /// Which bus.
    public enum Kind: Sendable {
        /// `DBUS_SYSTEM_BUS_ADDRESS`, or the well-known one.
        case system
        /// `DBUS_SESSION_BUS_ADDRESS`, or the user's.
        case session
    }

    let connection: OpaquePointer

    /// Connects.
    public init(_ kind: Kind) throws(GLibError) {
        let type = kind == .system ? G_BUS_TYPE_SYSTEM : G_BUS_TYPE_SESSION
        connection = try GLibError.check { g_bus_get_sync(type, nil, &$0) }.get()
        // A bus that goes away must not take the command with it.
        g_dbus_connection_set_exit_on_close(connection, 0)
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(connection)) }

    /// The answer's arguments, `h` and the like as null, bytes as whole numbers.
    ///
    /// - Parameter starts: whether the service may be started for it.
    public func call(
        _ service: String, _ path: String, _ interface: String, _ method: String,
        _ arguments: [BusArgument] = [], starts: Bool = true, seconds: Double = 3
    ) throws(GLibError) -> [BusValue] {
        let flags = starts ? G_DBUS_CALL_FLAGS_NONE : G_DBUS_CALL_FLAGS_NO_AUTO_START
        let reply = try GLibError.check {
            g_dbus_connection_call_sync(
                connection, service, path, interface, method, BusArgument.tuple(arguments), nil,
                flags, gint(seconds * 1000), nil, &$0)
        }.get()
        defer { g_variant_unref(reply) }
        return BusValue(reply).list ?? []
    }

    /// A property of an object, if it has it.
    public func property(
        _ service: String, _ path: String, _ interface: String, _ name: String
    ) throws(GLibError) -> BusValue? {
        try call(
            service, path, "org.freedesktop.DBus.Properties", "Get",
            [.string(interface), .string(name)], starts: false
        ).first
    }
}
