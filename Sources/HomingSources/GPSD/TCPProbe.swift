internal import CGLib
internal import HomingRuntime

/// Finds out, without blocking, whether a TCP server answers, and at which address.
///
/// `gps_open` looks the name up and connects with blocking calls; after a probe it has an address
/// that needs no looking up and that answered a moment ago.
@LoopActor enum TCPProbe {
    /// Connects and hangs up; the answer is the numeric address. It has no deadline of its own:
    /// looking up a name knows none, so the caller calls it off.
    static func start(
        host: String, port: UInt16,
        completion: @escaping @LoopActor (Result<String, GLibError>) -> Void
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
            discard: { _ in },
            completion: completion)
    }

    private static func finish(_ result: OpaquePointer?) -> Result<String, GLibError> {
        // The call holds its client until it is finished, and names it.
        let source = g_async_result_get_source_object(result)
        defer { g_object_unref(source) }
        let client = UnsafeMutableRawPointer(source)?.assumingMemoryBound(to: GSocketClient.self)
        return GLibError.check { g_socket_client_connect_finish(client, result, &$0) }
            .flatMap { connection in
                defer { g_object_unref(connection) }
                return remoteAddress(connection)
            }
    }

    private static func remoteAddress(
        _ connection: UnsafeMutablePointer<GSocketConnection>
    ) -> Result<String, GLibError> {
        GLibError.check { g_socket_connection_get_remote_address(connection, &$0) }.map { remote in
            defer { g_object_unref(remote) }
            return text(
                UnsafeMutableRawPointer(remote).assumingMemoryBound(to: GInetSocketAddress.self))
        }
    }

    /// Numeric, for getaddrinfo(3); a link-local IPv6 address needs its interface.
    private static func text(_ socket: UnsafeMutablePointer<GInetSocketAddress>) -> String {
        let address = g_inet_socket_address_get_address(socket)
        let text = g_inet_address_to_string(address)
        defer { g_free(text) }
        let numeric = text.map { String(cString: $0) } ?? ""
        guard g_inet_address_get_is_link_local(address) != 0,
            g_inet_address_get_family(address) == G_SOCKET_FAMILY_IPV6
        else { return numeric }
        return "\(numeric)%\(g_inet_socket_address_get_scope_id(socket))"
    }
}
