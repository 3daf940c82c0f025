import Glibc
import HomingRuntime

/// A port of this machine: hears what each client says, and answers as its heirs say.
@LoopActor class PlayedPort {
    private let socket: LoopbackSocket
    private var accepting: Watch?
    private var reading: [Int32: Watch] = [:]
    /// Bytes that each client has sent and no test has taken yet, by its descriptor.
    private var input: [Int32: [UInt8]] = [:]

    init() throws {
        socket = try LoopbackSocket(backlog: 16)
        accepting = Watch.readable(socket.descriptor) { [weak self] in
            self?.accept()
            return .again
        }
    }

    deinit { close(socket.descriptor) }

    var port: UInt16 { socket.port }
    var url: String { "http://127.0.0.1:\(socket.port)" }
    /// Whether no client is there.
    var isDeserted: Bool { input.isEmpty }

    /// Called when the client has said something.
    func heard(_ client: Int32) {}

    /// Returns the bytes that the client has sent and no test has taken yet.
    func said(by client: Int32) -> [UInt8] { input[client] ?? [] }

    /// Removes so many bytes from the client's input; all bytes, if no count is given.
    func taken(_ count: Int? = nil, of client: Int32) {
        let count = count ?? said(by: client).count
        input[client]?.removeFirst(count)
    }

    func say(_ bytes: [UInt8], to client: Int32) {
        send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func say(_ text: String, to client: Int32) { say(Array(text.utf8), to: client) }

    /// Says no more to the client, which may still speak.
    func fallSilent(to client: Int32) { shutdown(client, Int32(SHUT_WR)) }

    /// Ends the connection, or has seen its end.
    func end(_ client: Int32) {
        guard input.removeValue(forKey: client) != nil else { return }
        reading[client] = nil
        close(client)
    }

    private func accept() {
        let client = Glibc.accept(socket.descriptor, nil, nil)
        guard client >= 0 else { return }
        input[client] = []
        reading[client] = Watch.readable(client) { [weak self] in self?.read(client) ?? .done }
    }

    private func read(_ client: Int32) -> Watch.Next {
        var bytes = [UInt8](repeating: 0, count: 1 << 14)
        let count = recv(client, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN { return .again }
        guard count > 0 else {
            end(client)
            return .done
        }
        input[client]?.append(contentsOf: bytes[..<count])
        heard(client)
        return input[client] == nil ? .done : .again
    }
}
