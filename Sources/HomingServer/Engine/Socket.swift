internal import CMicroHTTPD
internal import Glibc

/// A connected socket that does not block. Its owner closes the descriptor.
struct Socket {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Sends what the system takes now.
    ///
    /// - Returns: how many bytes; negative, with `errno`, on failure.
    func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        Glibc.send(
            descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }

    /// Receives the bytes that have arrived.
    ///
    /// - Returns: how many bytes, 0 at the end; negative, with `errno`, on failure.
    func receiveNow(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
    }

    /// The next byte that has come, which stays there.
    var firstByte: Passage {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        if count < 0 { return errno == EAGAIN || errno == EINTR ? .waits : .failed }
        return count == 0 ? .over : .moved(Int(byte))
    }

    /// Reads what has come and drops it: else the system would end the connection by a reset, and
    /// the other end might not read the last answer.
    ///
    /// - Returns: whether the other end is gone.
    @discardableResult func discard(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
        for _ in 0..<16 {
            let count = receiveNow(buffer)
            if count == 0 { return true }
            if count < 0 { return errno != EAGAIN && errno != EINTR }
        }
        return false
    }

    /// Whether the other end has said its last and all of it was read.
    var isOver: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
    }

    /// Ends the connection in both directions; the descriptor stays.
    func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Says that nothing more is sent.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Another descriptor of the same connection; negative if the system gives no descriptor.
    func copy() -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

    /// Sets an option; some kinds of socket do not know it.
    func set(_ level: Int32, _ name: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Bytes that have come over a connection of TCP so far; `nil` if the system does not tell.
    var receivedBytes: UInt64? {
        // The C library's tcp_info ends before tcpi_bytes_received (linux/tcp.h).
        let offset = 128
        var info = [UInt8](repeating: 0, count: offset + 8)
        var size = socklen_t(info.count)
        guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &size) == 0,
            Int(size) == info.count
        else { return nil }
        return info.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    }
}
