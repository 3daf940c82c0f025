internal import CCurl
internal import Glibc
internal import HomingRuntime

/// Counts what the connections of this process carry: all that libcurl opens, WebSockets among them.
///
/// The kernel counts; here is asked when somebody wants to know, and when a connection ends. Names
/// that are looked up are not counted: some 150 bytes each, and another program sends them.
public enum TrafficMeter {
    private static let connections = Connections()

    /// Bytes since the start, in both directions, with the heads of IP and TCP.
    public static var total: Int { connections.total }

    /// Has this handle's connections counted, for as long as libcurl keeps them.
    static func count(on handle: UnsafeMutableRawPointer) -> CURLcode {
        homing_curl_set_socket_callbacks(
            handle,
            { _, socket, _ in
                TrafficMeter.connections.opened(socket)
                return CURL_SOCKOPT_OK
            },
            { _, socket in
                TrafficMeter.connections.ends(socket)
                return close(socket)
            })
    }
}

/// Connections and what they have carried. The last of a client may be let go on any thread, and its
/// connections end there.
private final class Connections: @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private var open: Set<Int32> = []
    /// Bytes of those that have ended.
    private var ended = 0

    init() {
        lock = .allocate(capacity: 1)
        pthread_mutex_init(lock, nil)
    }

    var total: Int {
        locked { open.reduce(ended) { $0 + (SocketTraffic.bytes(of: $1) ?? 0) } }
    }

    func opened(_ socket: Int32) { locked { _ = open.insert(socket) } }

    func ends(_ socket: Int32) {
        locked {
            guard open.remove(socket) != nil else { return }
            ended += SocketTraffic.bytes(of: socket) ?? 0
        }
    }

    private func locked<Result>(_ work: () -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return work()
    }
}
