import Glibc
import HomingRuntime
import Testing

/// A port of this machine that keeps the head of each request and answers all of them with 404.
@LoopActor final class RecordingServer {
    private let silent: SilentServer
    private var watches: [Watch] = []
    /// Heads in the order of their arrival, with their lines.
    private(set) var heads: [String] = []

    init() throws {
        silent = try SilentServer()
        let watch = Watch.readable(silent.descriptor) { [weak self] in
            self?.acceptClient()
            return .again
        }
        watches = [watch]
    }

    var url: String { silent.url }

    /// Those that ask for a page; the daemon posts besides.
    var pages: [String] { heads.filter { $0.hasPrefix("GET ") } }

    /// The first line of each.
    var lines: [String] { pages.map { String($0.prefix { $0 != "\r\n" }) } }

    private func acceptClient() {
        let client = accept(silent.descriptor, nil, nil)
        guard client >= 0 else { return }
        let watch = Watch.readable(client) { [weak self] in
            self?.answer(client)
            return .done
        }
        watches.append(watch)
    }

    /// A head this small comes in one piece.
    private func answer(_ client: Int32) {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = max(0, read(client, &bytes, bytes.count))
        heads.append(String(decoding: bytes[..<count], as: UTF8.self))
        let answer = Array("HTTP/1.1 404 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
        _ = write(client, answer, answer.count)
        close(client)
    }
}
