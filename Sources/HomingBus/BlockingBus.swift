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

    /// Why a call has no answer.
    public struct Failure: Error, Equatable, CustomStringConvertible, Sendable {
        /// D-Bus's name of the error, such as `org.freedesktop.DBus.Error.ServiceUnknown`.
        public let name: String?
        public let description: String
    }

    let connection: OpaquePointer

    /// Connects.
    public init(_ kind: Kind) throws(Failure) {
        var error: UnsafeMutablePointer<GError>?
        let type = kind == .system ? G_BUS_TYPE_SYSTEM : G_BUS_TYPE_SESSION
        guard let connection = g_bus_get_sync(type, nil, &error) else {
            throw Self.take(&error)
        }
        // A bus that goes away must not take the command with it.
        g_dbus_connection_set_exit_on_close(connection, 0)
        self.connection = connection
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(connection)) }

    /// The answer's arguments, `h` and the like as null, bytes as whole numbers.
    ///
    /// - Parameter starts: whether the service may be started for it.
    public func call(
        _ service: String, _ path: String, _ interface: String, _ method: String,
        _ arguments: [BusArgument] = [], starts: Bool = true, seconds: Double = 3
    ) throws(Failure) -> [BusValue] {
        var error: UnsafeMutablePointer<GError>?
        let flags = starts ? G_DBUS_CALL_FLAGS_NONE : G_DBUS_CALL_FLAGS_NO_AUTO_START
        let reply = g_dbus_connection_call_sync(
            connection, service, path, interface, method,
            BusArgument.tuple(arguments), nil, flags, gint(seconds * 1000),
            nil, &error)
        guard let reply else { throw Self.take(&error) }
        defer { g_variant_unref(reply) }
        return BusValue(reply).list ?? []
    }

    /// A property of an object, if it has it.
    public func property(
        _ service: String, _ path: String, _ interface: String, _ name: String
    ) throws(Failure) -> BusValue? {
        try call(
            service, path, "org.freedesktop.DBus.Properties", "Get",
            [.string(interface), .string(name)], starts: false
        ).first
    }

    /// Whether a name is on the bus, or would come if it were called.
    public func has(_ name: String) -> Bool {
        let bus = "org.freedesktop.DBus"
        let owned = try? call(
            bus, "/\(bus.replacing(".", with: "/"))", bus, "NameHasOwner", [.string(name)])
        if owned?.first == .boolean(true) { return true }
        let startable = try? call(
            bus, "/\(bus.replacing(".", with: "/"))", bus, "ListActivatableNames")
        return startable?.first?.list?.contains(.text(name)) ?? false
    }

    private static func take(_ error: inout UnsafeMutablePointer<GError>?) -> Failure {
        defer { g_clear_error(&error) }
        guard let left = error else { return Failure(name: nil, description: "no answer") }
        let name = g_dbus_error_get_remote_error(left).map { name in
            defer { g_free(name) }
            return String(cString: name)
        }
        g_dbus_error_strip_remote_error(left)
        return Failure(
            name: name, description: left.pointee.message.map { String(cString: $0) } ?? "no answer"
        )
    }
}
