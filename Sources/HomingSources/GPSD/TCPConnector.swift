internal import CGIO
internal import Glibc
internal import HomingBus
internal import HomingRuntime

/// Connects to a TCP server without blocking, by each of its addresses.
@LoopActor enum TCPConnector {
    /// Looks the name up and connects. It has no deadline of its own: looking up a name knows none,
    /// so the caller calls it off.
    ///
    /// - Parameter completion: gets the connected socket, which is the caller's to close. It does not
    ///   block, and no child inherits it.
    static func connect(
        host: String, port: UInt16,
        completion: @escaping @LoopActor (Result<Int32, GLibError>) -> Void
    ) -> PendingCall {
        let client = g_socket_client_new()
        defer { g_object_unref(client) }
        // Asking for a proxy would load GIO modules, with threads of their own.
        g_socket_client_set_enable_proxy(client, 0)
        let address = g_network_address_new(host, port)
        defer { g_object_unref(UnsafeMutableRawPointer(address)) }
        return PendingCall(
            { g_socket_client_connect_async(client, address, $0, $1, $2) },
            finish: { result in finish(result) },
            discard: { close($0) },
            completion: completion)
    }

    private static func finish(_ result: OpaquePointer?) -> Result<Int32, GLibError> {
        // The call holds its client until it is finished, and names it.
        let source = g_async_result_get_source_object(result)
        defer { g_object_unref(source) }
        let client = UnsafeMutableRawPointer(source)?.assumingMemoryBound(to: GSocketClient.self)
        return GLibError.check { g_socket_client_connect_finish(client, result, &$0) }
            .flatMap { connection in
                defer { g_object_unref(connection) }
                // GIO closes its own descriptor with the connection; the socket stays open by ours.
                let own = g_socket_get_fd(g_socket_connection_get_socket(connection))
                let descriptor = fcntl(own, F_DUPFD_CLOEXEC, 3)
                return descriptor >= 0
                    ? .success(descriptor)
                    : .failure(GLibError(String(cString: strerror(errno))))
            }
    }
}
