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
        PendingCall(
            {
                g_dbus_connection_call(
                    connection, service, path, interface, method, arguments, nil,
                    G_DBUS_CALL_FLAGS_NO_AUTO_START, timeout, $0, $1, $2)
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
