internal import CLinux
internal import Glibc

/// Cost of a TCP connection, as the network's provider counts data.
public enum SocketTraffic {
    /// Bytes of both directions with the heads of IP and TCP, also of segments that were sent again
    /// or carried nothing. `nil` for what is no TCP connection.
    public static func bytes(of socket: Int32) -> Int? {
        var (traffic, family) = (homing_traffic(), Int32(0))
        guard homing_socket_traffic(socket, &traffic, &family) == 0 else { return nil }
        // IPv4 or IPv6, then TCP with its timestamps.
        let head = (family == AF_INET6 ? 40 : 20) + 32
        let payload = Int(clamping: traffic.bytes_sent) + Int(clamping: traffic.bytes_received)
        return payload + (Int(traffic.segments_sent) + Int(traffic.segments_received)) * head
    }
}
