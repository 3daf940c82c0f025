import Glibc
import HomingServer
import HomingWebSocket
import Testing

/// An answer as it came.
struct RawAnswer: Equatable {
    var status: Int
    var fields: [String: String]
    var body: String

    var isJSON: Bool { fields["content-type"] == "application/json" && body.hasPrefix("{") }
    var closes: Bool { fields["connection"] == "close" }
}

/// A client of bytes on the test's own thread, which waits 20 s at the most.
final class RawClient {
    private static let patience: Int32 = 20_000

    let descriptor: Int32
    private var input: [UInt8] = []
    private var isOpen = true

    /// - Parameter source: an address of this machine to come from.
    init(_ address: ListenAddress, from source: String? = nil) throws {
        switch address {
        case .unix(let path):
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var unix = sockaddr_un()
            unix.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &unix.sun_path) { $0.copyBytes(from: path.utf8) }
            try Self.connect(descriptor, unix)
        case .tcp(let host, let port) where host.contains(":"):
            descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
            var six = sockaddr_in6()
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            inet_pton(AF_INET6, host == "::" ? "::1" : host, &six.sin6_addr)
            try Self.connect(descriptor, six)
        case .tcp(let host, let port):
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            if let source {
                try #require(Self.call(bind, descriptor, Self.four(source, 0)) == 0)
            }
            try Self.connect(descriptor, Self.four(host == "0.0.0.0" ? "127.0.0.1" : host, port))
        }
    }

    deinit { close() }

    /// Whether anybody listens there, on 127.0.0.1.
    static func reaches(_ address: ListenAddress) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { Glibc.close(descriptor) }
        return call(Glibc.connect, descriptor, four("127.0.0.1", address.port ?? 0)) == 0
    }

    private static func four(_ host: String, _ port: UInt16) -> sockaddr_in {
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &four.sin_addr)
        return four
    }

    private static func call<Address>(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32,
        _ address: Address
    ) -> Int32 {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    private static func connect<Address>(_ descriptor: Int32, _ address: Address) throws {
        try #require(
            call(Glibc.connect, descriptor, address) == 0, "\(String(cString: strerror(errno)))")
    }

    func close() {
        if isOpen { Glibc.close(descriptor) }
        isOpen = false
    }

    /// Ends the connection by a reset.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Says that nothing more is sent.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends all of it, unless the server is gone.
    @discardableResult func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Waits for more bytes; false at the end of all.
    private func more() throws -> Bool {
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        try #require(poll(&ready, 1, Self.patience) == 1, "the server says nothing")
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count > 0 { input += bytes[..<count] }
        return count > 0
    }

    /// Whether nothing more has come.
    var isSilent: Bool {
        var byte: UInt8 = 0
        return input.isEmpty
            && recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT | MSG_PEEK)) < 0 && errno == EAGAIN
    }

    /// Whether the server ends the connection, without another byte.
    func isEnded() throws -> Bool { try !more() && input.isEmpty }

    /// All until the server ends the connection.
    func rest() throws -> String {
        while try more() {}
        defer { input = [] }
        return String(decoding: input, as: UTF8.self)
    }

    /// The next answer; `nil` if the server ends the connection before it is whole.
    func answer(isHead: Bool = false) throws -> RawAnswer? {
        while true {
            if let end = input.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: input[..<end.lowerBound], as: UTF8.self)
                let fields = Self.fields(head)
                let size = isHead ? 0 : Int(fields["content-length"] ?? "0") ?? 0
                if input.count >= end.upperBound + size {
                    let body = input[end.upperBound..<end.upperBound + size]
                    let status = Int(head.split(separator: " ")[1]) ?? 0
                    input.removeSubrange(..<(end.upperBound + size))
                    return RawAnswer(
                        status: status, fields: fields, body: String(decoding: body, as: UTF8.self))
                }
            }
            guard try more() else { return nil }
        }
    }

    /// The next answer, which has to come.
    func wholeAnswer() throws -> RawAnswer {
        try #require(try answer(), "the server ended the connection")
    }

    private static func fields(_ head: String) -> [String: String] {
        var fields: [String: String] = [:]
        for line in head.split(separator: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            fields[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        return fields
    }

    /// The next bytes of the other protocol, until the reader has an item; `nil` at the end of all.
    func item(_ reader: inout FrameReader) throws -> FrameReader.Item? {
        while true {
            reader.feed(input)
            input = []
            if let item = try reader.next() { return item }
            guard try more() else { return nil }
        }
    }
}
