internal import Glibc
internal import HomingControl
internal import HomingJSON
internal import HomingTestKit

@testable internal import HomingSocket

/// The control socket's end at the daemon: each line has one answer, in order, in one line.
final class ControlRequestTarget: FuzzTarget {
    static let name = "control-request"
    /// Maximum number of lines whose answers fit into a socket unread: 277 of them do, as Linux
    /// charges each with 768 bytes of 208 KiB.
    static let longest = 256

    func run(_ input: [UInt8]) throws {
        let (ours, theirs) = try Sockets.pair()
        defer { close(theirs) }
        _ = fcntl(ours, F_SETFL, O_NONBLOCK)
        var isClosed = false
        var ids: [Int] = []
        let connection = LineConnection(
            descriptor: ours, user: 0, isTrusted: true, idleLimit: nil
        ) { (line, connection) throws(RequestRefusal) in
            let request = try ReceivedRequest<ControlRequest>(line)
            ids.append(request.id)
            Self.checkRoundTrip(request)
            if !faultIsPlanted || request.method != .unregister {
                OpenRequest(connection: connection, id: request.id).reply(Done())
            }
        }
        connection.atEnd { isClosed = true }
        Sockets.send(input, to: theirs)
        Loop.turn { isClosed }
        try check(Sockets.drain(theirs), to: input, taken: ids)
    }

    private static func checkRoundTrip(_ request: ReceivedRequest<ControlRequest>) {
        guard let command = try? request.verb() else { return }
        do {
            let line = try JSON.bytes(LineRequest(id: request.id, command))
            let back = try ReceivedRequest<ControlRequest>(line)
            require(back.id == request.id, "a request's number changes on the wire")
            require(try back.verb() == command, "a request changes on the wire")
        } catch { require(false, "\(error)") }
    }

    private func check(_ output: [UInt8], to input: [UInt8], taken: [Int]) throws {
        let lines = output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let asked = input.count { $0 == UInt8(ascii: "\n") }
        require(lines.count - 1 == asked, "\(lines.count - 1) answers to \(asked) requests")
        require(lines.last?.isEmpty == true, "half an answer")
        var done: [Int] = []
        for line in lines.dropLast() {
            let reply = try JSON.decode(LineReply<Done>.self, from: line)
            require((reply.result == nil) != (reply.error == nil), "neither done nor refused")
            if reply.result != nil { done.append(reply.id) }
        }
        require(done == taken, "the answers are not in the requests' order")
    }
}
