internal import Glibc
internal import HomingHealth
internal import HomingJSON
internal import HomingRuntime

/// The command line's end of the control socket; blocking, for a program that does one thing.
public final class ControlClient {
    private let descriptor: Int32
    private var input: [UInt8] = []

    /// Connects. Throws a `ControlError` that says what to do if no daemon is there.
    public init(path: String = ControlClient.defaultPath()) throws(ControlError) {
        do {
            descriptor = try UnixSocket.connect(to: path)
        } catch {
            throw error.number == EACCES
                ? ControlError(.notPermitted, "not permitted to talk to the daemon at \(path)")
                : ControlError(
                    .unavailable, "the daemon is not running (no answer at \(path))",
                    hint: Warnable.daemonNotRunning.hint)
        }
    }

    /// Takes a socket that is connected.
    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Where the daemon listens: a daemon of the user's own, else the system's.
    public static func defaultPath() -> String {
        let own = "\(Folders.runtime())/control.sock"
        let system = "/run/homing/control.sock"
        let isGiven = getenv("RUNTIME_DIRECTORY") != nil
        return !isGiven && access(own, F_OK) != 0 && access(system, F_OK) == 0 ? system : own
    }

    /// Whether the daemon runs as another user than this process; `false` if the system does not
    /// tell.
    public var isAnotherUsers: Bool { Peer(of: descriptor).map { $0.user != geteuid() } ?? false }

    /// Sends the command and waits for its answer.
    public func call<Value: Codable & Sendable>(
        _ command: ControlCommand, returning: Value.Type
    ) throws(ControlError) -> Value {
        try send(command)
        return try next(Value.self)
    }

    /// Sends the command and gives each answer to `body` until that returns false or the daemon
    /// ends the connection.
    public func stream<Value: Codable & Sendable>(
        _ command: ControlCommand, of: Value.Type, _ body: (Value) -> Bool
    ) throws(ControlError) {
        try send(command)
        while body(try next(Value.self)) {}
    }

    private func send(_ command: ControlCommand) throws(ControlError) {
        guard let data = try? JSON.bytes(ControlRequest(id: 1, command: command)) else {
            throw ControlError(.failure, "the request cannot be written")
        }
        var line = data + [UInt8(ascii: "\n")]
        while !line.isEmpty {
            let count = line.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                line.removeFirst(count)
            } else if errno == EPIPE || errno == ECONNRESET {
                // The daemon has ended the connection: what it said before tells why.
                return
            } else if errno != EINTR {
                throw Self.gone
            }
        }
    }

    func next<Value: Codable & Sendable>(_ type: Value.Type) throws(ControlError) -> Value {
        let line = try readLine()
        guard let reply = try? JSON.decode(ControlReply<Value>.self, from: line)
        else {
            throw ControlError(
                .failure, "the daemon's answer is not understood",
                hint: "daemon and command may be of different versions: restart the daemon")
        }
        if let error = reply.error { throw error }
        guard let result = reply.result ?? reply.event else {
            throw ControlError(.failure, "an empty answer")
        }
        return result
    }

    private func readLine() throws(ControlError) -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            if let end = input.firstIndex(of: UInt8(ascii: "\n")) {
                defer { input.removeSubrange(...end) }
                return Array(input[..<end])
            }
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Self.gone }
            input += chunk[..<count]
        }
    }

    private static let gone = ControlError(
        .unavailable, "the daemon ended the connection", hint: "see: journalctl -u homing")
}
