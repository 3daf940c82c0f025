import Glibc
import HomingRuntime

/// A port of this machine that takes connections and never answers.
final class SilentServer: Sendable {
    private let socket: LoopbackSocket

    init() throws { socket = try LoopbackSocket(backlog: 16) }

    var descriptor: Int32 { socket.descriptor }
    var url: String { "http://127.0.0.1:\(socket.port)" }

    deinit { close(socket.descriptor) }
}
