internal import CGIO
internal import HomingRuntime

extension PendingCall {
    /// Calls a method on a GDBusConnection.
    ///
    /// - Parameters:
    ///   - starts: whether the service may be started for it.
    ///   - timeout: milliseconds that the service may take.
    ///   - completion: gets the values that the method answers.
    public static func method(
        _ method: String, of interface: String, at path: String, _ service: String,
        _ arguments: [BusArgument] = [], starts: Bool = false, timeout: Int32 = 10_000,
        on connection: OpaquePointer,
        completion: @escaping @LoopActor (Result<[BusValue], GLibError>) -> Void
    ) -> PendingCall {
        let flags = starts ? G_DBUS_CALL_FLAGS_NONE : G_DBUS_CALL_FLAGS_NO_AUTO_START
        return PendingCall(
            {
                g_dbus_connection_call(
                    connection, service, path, interface, method, BusArgument.tuple(arguments),
                    nil, flags, timeout, $0, $1, $2)
            },
            finish: { result in
                GLibError.check { g_dbus_connection_call_finish(connection, result, &$0) }.map {
                    answer in
                    defer { g_variant_unref(answer) }
                    return BusValue(answer).list ?? []
                }
            },
            completion: completion)
    }
}
