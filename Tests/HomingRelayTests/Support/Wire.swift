import Glibc
import HomingBase
import HomingJSON
import HomingRelayProtocol
import HomingServer
import HomingWebSocket
import Testing

/// A client of bytes on the test's own thread, which waits 20 s at the most.
final class Wire {
    private static let patience: Int32 = 20_000

    private let descriptor: Int32
    private var input: [UInt8] = []
    private var frames = FrameReader(limit: RelayFrame.limit, role: .client)

    init(_ address: ListenAddress) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let isConnected = Self.connects(descriptor, to: address)
        try #require(isConnected, "\(String(cString: strerror(errno)))")
    }

    private static func connects(_ descriptor: Int32, to address: ListenAddress) -> Bool {
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = (address.port ?? 0).bigEndian
        four.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: four) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// Whether anybody listens there.
    static func reaches(_ address: ListenAddress) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        return connects(descriptor, to: address)
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits for more bytes; false at the end of all.
    private func more() throws -> Bool {
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        try #require(poll(&ready, 1, Self.patience) == 1, "the relay says nothing")
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count > 0 { input += bytes[..<count] }
        return count > 0
    }

    /// Sends a request.
    func writeRequest(
        _ method: String, _ path: String, _ body: [UInt8] = [],
        fields: [String] = ["Content-Type: application/json"]
    ) {
        let head = ["\(method) \(path) HTTP/1.1", "Host: relay.test:8765"] + fields
        let length = method == "GET" ? [] : ["Content-Length: \(body.count)"]
        send(Array((head + length + ["", ""]).joined(separator: "\r\n").utf8) + body)
    }

    /// The next answer.
    func answer() throws -> Answer {
        while true {
            if let end = input.firstRange(of: Array("\r\n\r\n".utf8)) {
                let lines = String(decoding: input[..<end.lowerBound], as: UTF8.self)
                    .split(separator: "\r\n")
                var fields: [String: String] = [:]
                for line in lines.dropFirst() {
                    let parts = line.split(separator: ":", maxSplits: 1)
                    fields[parts[0].lowercased()] = String(parts[1].dropFirst())
                }
                let size = Int(fields["content-length"] ?? "0") ?? 0
                if input.count >= end.upperBound + size {
                    let body = Array(input[end.upperBound..<end.upperBound + size])
                    let status = Int(lines[0].split(separator: " ")[1]) ?? 0
                    input.removeSubrange(..<(end.upperBound + size))
                    return Answer(status: status, fields: fields, body: body)
                }
            }
            let hasMore = try more()
            try #require(hasMore, "the relay has ended the connection")
        }
    }

    /// Asks, and waits for the answer.
    func exchange(
        _ method: String, _ path: String, _ body: [UInt8] = [],
        fields: [String] = ["Content-Type: application/json"]
    ) throws -> Answer {
        writeRequest(method, path, body, fields: fields)
        return try answer()
    }

    /// Posts as Home Assistant does.
    func post(_ body: [UInt8], to path: String = RelayPath.push) throws -> Answer {
        try exchange("POST", path, body)
    }

    // MARK: The socket of a device

    func send(_ frame: RelayFrame) {
        send(WebSocketFrame.bytes(.text, frame.text, from: .client))
    }

    /// The next frame; `nil` once the relay has closed.
    func frame() throws -> RelayFrame? {
        while true {
            frames.feed(input)
            input = []
            while let item = try frames.next() {
                if case .text(let text) = item {
                    let frame: RelayFrame? = RelayFrame(text)
                    try #require(frame != nil)
                    return frame
                }
                if case .close = item { return nil }
            }
            guard try more() else { return nil }
        }
    }
}

/// An answer as it came.
struct Answer {
    var status: Int
    var fields: [String: String]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSONValue { JSONValue(json: body) ?? .null }
    /// The relay's words for a failure.
    var type: String? { json["errorType"]?.string }
    /// Whether Home Assistant can read it.
    var isReadable: Bool {
        guard fields["content-type"] == "application/json", case .object = json else {
            return false
        }
        return status < 300 || json["message"]?.string?.isEmpty == false
    }
}

/// Texts that are no frames of the relay's.
enum WebSocketText {
    static func frame(_ text: String) -> [UInt8] {
        WebSocketFrame.bytes(.text, Array(text.utf8), from: .client)
    }
}
