internal import CGLib
internal import HomingRuntime

extension PendingCall {
    /// Milliseconds a service may take to answer.
    private static let timeout: gint = 10_000

    /// Calls a method on a GDBusConnection. Its service is never started by that.
    ///
    /// - Parameters:
    ///   - arguments: a floating tuple; none by default.
    ///   - completion: gets what the method answers, a list.
    static func method(
        _ method: String, of interface: String, at path: String, _ service: String,
        arguments: OpaquePointer? = nil, on connection: OpaquePointer,
        completion: @escaping @LoopActor (Result<BusValue, GLibError>) -> Void
    ) -> PendingCall {
        call(
            method, of: interface, at: path, service, arguments, G_DBUS_CALL_FLAGS_NO_AUTO_START,
            on: connection, completion: completion)
    }

    /// Reads a property of a service that may be started for it.
    ///
    /// - Parameter completion: gets a list that holds the value alone.
    static func property(
        _ property: String, of interface: String, at path: String, _ service: String,
        on connection: OpaquePointer,
        completion: @escaping @LoopActor (Result<BusValue, GLibError>) -> Void
    ) -> PendingCall {
        var names = [g_variant_new_string(interface), g_variant_new_string(property)]
        return call(
            "Get", of: "org.freedesktop.DBus.Properties", at: path, service,
            g_variant_new_tuple(&names, 2), G_DBUS_CALL_FLAGS_NONE, on: connection,
            completion: completion)
    }

    private static func call(
        _ method: String, of interface: String, at path: String, _ service: String,
        _ arguments: OpaquePointer?, _ flags: GDBusCallFlags, on connection: OpaquePointer,
        completion: @escaping @LoopActor (Result<BusValue, GLibError>) -> Void
    ) -> PendingCall {
        PendingCall(
            {
                g_dbus_connection_call(
                    connection, service, path, interface, method, arguments, nil,
                    flags, timeout, $0, $1, $2)
            },
            finish: { result in
                GLibError.check { g_dbus_connection_call_finish(connection, result, &$0) }.map {
                    answer in
                    defer { g_variant_unref(answer) }
                    return BusValue(answer)
                }
            },
            discard: { _ in },
            completion: completion)
    }
}
