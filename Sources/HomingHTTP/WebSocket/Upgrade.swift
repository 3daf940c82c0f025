internal import HomingBase
internal import HomingRuntime
internal import HomingWebSocket

/// Change from HTTP to a WebSocket: the one request, and what the answer must be. RFC 6455,
/// section 4.
struct Upgrade {
    /// The most of an answer's head that is taken, in bytes.
    static let headLimit = 16 << 10

    /// Meaning of an answer.
    enum Verdict: Equatable {
        /// Switch to a WebSocket from here on; these bytes follow the head.
        case switched(rest: [UInt8])
        /// Some other answer of HTTP.
        case status(Int)
        /// Answer that no server of WebSockets gives; the text says why, for people.
        case notWebSocket(String)
    }

    private static let endMark = Array("\r\n\r\n".utf8)

    private let key: String
    private var head: [UInt8] = []

    /// - Parameter nonce: 16 bytes, other ones each time.
    init(nonce: [UInt8]) { key = Base64.text(of: nonce) }

    /// Returns an upgrade with a random nonce.
    static func random() -> Upgrade {
        Upgrade(nonce: (0..<16).map { _ in .random(in: .min ... .max) })
    }

    /// The request.
    ///
    /// - Parameter bearerToken: goes out as `Authorization: Bearer`. Secret.
    func request(
        host: String, path: String, userAgent: String, bearerToken: String? = nil
    ) -> [UInt8] {
        let authorization = bearerToken.map { ["Authorization: Bearer \($0)"] } ?? []
        let lines =
            ["GET \(path) HTTP/1.1", "Host: \(host)", "User-Agent: \(userAgent)"]
            + authorization + [
                "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: \(key)", "", "",
            ]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    /// Takes bytes of the answer. `nil` until the head is whole.
    mutating func feed(_ bytes: some Collection<UInt8>) -> Verdict? {
        // The end may have begun in the piece before.
        let start = max(0, head.count - 3)
        head += bytes
        guard let end = head[start...].firstPlace(of: Self.endMark)?.upperBound else {
            return head.count > Self.headLimit ? .notWebSocket("its head has no end") : nil
        }
        guard end <= Self.headLimit else { return .notWebSocket("its head is too long") }
        return judge(head[..<end], rest: Array(head[end...]))
    }

    private func judge(_ head: ArraySlice<UInt8>, rest: [UInt8]) -> Verdict {
        let lines = String(decoding: head, as: UTF8.self).streamSafe.split(separator: "\r\n")
        let words = lines.first?.split(separator: " ", maxSplits: 2) ?? []
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            return .notWebSocket("it is no answer of HTTP")
        }
        guard status == 101 else { return .status(status) }
        let fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: parts[0].lowercased(), value: (parts.last ?? "").trimmed)
        }
        func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }
        func tokens(_ name: String) -> [String] {
            fields.filter { $0.name == name }
                .flatMap { $0.value.lowercased().split(separator: ",").map(\.trimmed) }
        }
        guard tokens("upgrade") == ["websocket"], tokens("connection").contains("upgrade") else {
            return .notWebSocket("it does not switch to a WebSocket")
        }
        guard value("sec-websocket-accept") == WebSocketKey.answer(to: key) else {
            return .notWebSocket("it does not answer the key of the request")
        }
        guard value("sec-websocket-extensions") == nil, value("sec-websocket-protocol") == nil
        else {
            return .notWebSocket("it uses what was not asked for")
        }
        return .switched(rest: rest)
    }
}
