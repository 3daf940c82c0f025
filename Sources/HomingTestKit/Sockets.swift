internal import Glibc
public import HomingRuntime

/// Connected sockets for readers that want a descriptor.
public enum Sockets {
    /// Two ends, the first of which does not block.
    public static func pair() throws(SystemError) -> (ours: Int32, theirs: Int32) {
        var ends: [Int32] = [0, 0]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError("socketpair") }
        return (ends[0], ends[1])
    }

    /// Sends the bytes and then the end of all bytes.
    public static func send(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Everything that is there to be read.
    public static func drain(_ descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
    }
}

/// A TCP server on the loopback that sends an input to whoever connects.
@LoopActor public final class Loopback {
    public let port: UInt16
    private let listener: Int32
    private var accepting: Watch?
    private var clients: [Int32] = []
    private var input: [UInt8] = []

    public init() throws(SystemError) {
        let socket = try LoopbackSocket(backlog: 16)
        listener = socket.descriptor
        port = socket.port
        accepting = Watch.readable(listener) { [weak self] in
            self?.accept()
            return .again
        }
    }

    /// Sends this to each client from now on.
    public func serve(_ input: [UInt8]) { self.input = input }

    /// A socket that is connected to it, the caller's to close.
    public func connect() throws(SystemError) -> Int32 {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(client)
            throw SystemError("cannot connect to the loopback")
        }
        return client
    }

    /// Takes a client that has connected, and sends it the input and the end.
    private func accept() {
        let client = Glibc.accept(listener, nil, nil)
        guard client >= 0 else { return }
        clients.append(client)
        Sockets.send(input, to: client)
    }

    /// Ends all connections at once: a million of them waiting for stray packets would leave no
    /// port free.
    public func reset() {
        for client in clients {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(
                client, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
            close(client)
        }
        clients = []
    }
}
