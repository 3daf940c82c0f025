import HomingRuntime

/// A port of this machine that answers each request of HTTP as a test says.
final class AnsweringServer: PlayedPort {
    private(set) var requests = 0
    private let answer: @LoopActor (String) -> String

    /// - Parameter answer: gets the body of a request.
    init(_ answer: @escaping @LoopActor (String) -> String) throws {
        self.answer = answer
        try super.init()
    }

    override func heard(_ client: Int32) {
        let bytes = said(by: client)
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return }
        let head = String(decoding: bytes[..<end], as: UTF8.self)
        let field = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
        let length = field.flatMap { Int($0.dropFirst("Content-Length: ".count)) } ?? 0
        guard bytes.count >= end + length else { return }
        taken(end + length, of: client)
        requests += 1
        let body = answer(String(decoding: bytes[end..<(end + length)], as: UTF8.self))
        say("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)", to: client)
    }
}
