import Glibc
import HomingBase
import HomingHTTP
import HomingRuntime
import HomingTestKit
import HomingValkey
import Testing

/// An engine that answers as a test says, at every address of the loopback.
@LoopActor final class PlayedEngine {
    /// Answer of the engine to a command of these words, as RESP; `nil` for no answer.
    typealias Answer = @LoopActor ([String]) -> String?

    let port: Int
    /// Connections that were made so far.
    private(set) var connections = 0
    private let listener: Int32
    private let answer: Answer
    private var watches: [Int32: Watch] = [:]

    init(_ answer: @escaping Answer) throws {
        self.answer = answer
        let listener = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 128) == 0
                    ? getsockname(listener, $0, &size) : -1
            }
        }
        try #require(code == 0)
        self.listener = listener
        port = Int(UInt16(bigEndian: address.sin_port))
        watches[listener] = Watch.readable(listener) { [weak self] in
            self?.accept()
            return .again
        }
    }

    func address(_ host: String = "127.0.0.1") -> EngineAddress {
        EngineAddress(host: host, port: port)
    }

    /// A client of this engine.
    func client(
        _ seeds: [EngineAddress]? = nil,
        told: @escaping @LoopActor (EngineChannelEvent) -> Void = { _ in }
    ) -> Engine {
        Engine(
            seeds ?? [address()], EngineLogin(), over: HTTPClient(userAgent: "test"),
            clock: SystemClock(), told: told)
    }

    private func accept() {
        let client = Glibc.accept(listener, nil, nil)
        guard client >= 0 else { return }
        connections += 1
        watches[client] = Watch.readable(client) { [weak self] in
            guard let self, read(client) else { return .done }
            return .again
        }
    }

    /// Answers what has come; whether the client is still there.
    private func read(_ client: Int32) -> Bool {
        let bytes = Sockets.drain(client)
        guard !bytes.isEmpty else {
            watches[client] = nil
            close(client)
            return false
        }
        // Commands are short, and come whole.
        for words in Self.commands(String(decoding: bytes, as: UTF8.self)) {
            guard let text = answer(words) else { continue }
            _ = Array(text.utf8).withUnsafeBytes {
                Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
        }
        return true
    }

    private static func commands(_ text: String) -> [[String]] {
        var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
        var commands: [[String]] = []
        while let head = lines.popFirst(), head.hasPrefix("*"), let count = Int(head.dropFirst()) {
            var words: [String] = []
            for _ in 0..<count {
                _ = lines.popFirst()
                words.append(String(lines.popFirst() ?? ""))
            }
            commands.append(words)
        }
        return commands
    }

    func end() {
        for descriptor in watches.keys { close(descriptor) }
        watches = [:]
    }
}

extension Engine {
    /// The answer to a command.
    func answer(_ words: String..., key: String = "key") async -> Result<Reply, EngineFailure> {
        await withCheckedContinuation { continuation in
            send(Command(words.map { Array($0.utf8) }), key: Array(key.utf8)) {
                continuation.resume(returning: $0)
            }
        }
    }
}
