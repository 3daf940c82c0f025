internal import Glibc
internal import HomingBase
internal import HomingRuntime

/// A port on this machine's loopback address where a browser ends its login: a web server that
/// knows one page, for as long as the login takes.
@LoopActor final class LoopbackListener {
    /// Bytes of a request's head; a browser's is a few hundred, with cookies a few thousand.
    private static let limit = 16384
    private static let end = Array("\r\n\r\n".utf8)
    /// Connections at one time: a browser opens some in advance. Another takes the place of the
    /// oldest, so that nobody on this machine can keep the browser out.
    private static let room = 16

    /// The port that the system gave.
    let port: UInt16
    private let descriptor: Int32
    private var accepting: Watch?
    private var reading: [Int32: Watch] = [:]
    private var heads: [Int32: [UInt8]] = [:]
    private var deadlines: [Int32: Watch] = [:]
    /// The open connections, the oldest first.
    private var order: [Int32] = []
    /// Seconds in which a connection says what it wants.
    private let patience: Seconds
    private let accounts: Set<UInt32>
    private let answer: @LoopActor (String) -> String

    /// Listens at once. Programs of other accounts on this machine get no answer but that they are
    /// of another account.
    ///
    /// - Parameter answer: asked with the target of each request, answers with the page's text.
    init(
        patience: Seconds = 10, accounts: Set<UInt32> = LoginAccounts.current(),
        answer: @escaping @LoopActor (String) -> String
    ) throws(SystemError) {
        self.patience = patience
        self.accounts = accounts
        self.answer = answer
        let socket = try LoopbackSocket(backlog: 8)
        descriptor = socket.descriptor
        port = socket.port
        accepting = Watch.readable(descriptor) { [weak self] in
            self?.accept()
            return .again
        }
    }

    /// Closes the port and what is open on it.
    func close() {
        guard accepting != nil else { return }
        accepting = nil
        for connection in Array(reading.keys) { end(connection) }
        Glibc.close(descriptor)
    }

    private func accept() {
        let connection = Glibc.accept(descriptor, nil, nil)
        guard connection >= 0 else { return }
        _ = fcntl(connection, F_SETFL, O_NONBLOCK)
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        if order.count >= Self.room { end(order[0]) }
        order.append(connection)
        heads[connection] = []
        deadlines[connection] = Watch.once(after: patience) { [weak self] in self?.end(connection) }
        reading[connection] = Watch.readable(connection) { [weak self] in
            self?.read(connection) == true ? .again : .done
        }
    }

    /// Whether there may be more to come.
    private func read(_ connection: Int32) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(connection, &chunk, chunk.count)
        if count < 0, errno == EAGAIN || errno == EINTR { return true }
        guard count > 0, let known = heads[connection]?.count, known < Self.limit else {
            end(connection)
            return false
        }
        heads[connection]? += chunk[..<count]
        // The end may begin in the bytes that came before.
        let start = max(0, known - (Self.end.count - 1))
        guard let head = heads[connection], head[start...].firstPlace(of: Self.end) != nil else {
            return true
        }
        reply(connection, head)
        end(connection)
        return false
    }

    private func reply(_ connection: Int32, _ head: [UInt8]) {
        let line = String(decoding: head.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        let words = line.streamSafe.split(separator: " ")
        let text: String
        if words.count != 3 || words[0] != "GET" {
            text = "This page is for your browser only."
        } else if LoopbackPeer.user(at: connection).map(accounts.contains) != true {
            text = """
                This browser runs as another user than the command "homing setup". To end the \
                login nevertheless, copy this page's address, and paste it where homing asks for it.
                """
        } else {
            text = answer(String(words[1]))
        }
        let page = """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>Homing</title>\
            <body style="font-family:sans-serif;margin:4em"><p>\(text)</p></body></html>
            """
        // The code in the address is of no use to any other page.
        let reply = """
            HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n\
            Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n\
            Content-Length: \(page.utf8.count)\r\n\r\n\(page)
            """
        let bytes = Array(reply.utf8)
        // A few hundred bytes find room in an empty socket.
        _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    private func end(_ connection: Int32) {
        reading[connection] = nil
        heads[connection] = nil
        deadlines[connection] = nil
        order.removeAll { $0 == connection }
        shutdown(connection, Int32(SHUT_WR))
        Glibc.close(connection)
    }
}
