internal import Glibc
internal import HomingHealth
internal import HomingRuntime

/// The command line's end of the control socket: asks about one home, or about all.
public struct ControlClient {
    private let line: LineClient<ControlRequest>
    private let path: String
    /// The home that is meant; `nil` where none was named.
    public private(set) var home: String?

    /// The variable that names the home which commands mean.
    public static let homeVariable = "HOMING_HOME"

    /// The home that `HOMING_HOME` names.
    public static var namedHome: String? {
        let name = getenv(homeVariable).map { String(cString: $0) }
        return name.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Connects to a daemon of the user's own, else to the system's. Throws a `ControlError` that
    /// says what to do if none is there.
    ///
    /// - Parameter home: the home that is meant; by default the one that `HOMING_HOME` names.
    public init(home: String? = nil) throws(ControlError) {
        try self.init(path: Folders.socket(), home: home)
    }

    /// Connects to the daemon that listens there.
    public init(path: String, home: String? = nil) throws(ControlError) {
        line = try LineClient(path: path, startHint: Warnable.daemonNotRunning.hint)
        self.path = path
        self.home = home ?? Self.namedHome
    }

    /// Connects to a daemon; `nil` where no daemon listens. A daemon that hangs is an error.
    public static func ifListening() throws(ControlError) -> ControlClient? {
        let path = Folders.socket()
        return try LineClient<ControlRequest>.ifListening(path: path)
            .map { ControlClient(line: $0, path: path, home: namedHome) }
    }

    private init(line: LineClient<ControlRequest>, path: String, home: String?) {
        self.line = line
        self.path = path
        self.home = home
    }

    /// The same connection, about all homes.
    public var aboutAll: ControlClient {
        var client = self
        client.home = nil
        return client
    }

    /// Whether the daemon runs as another user than this process; `false` if the system does not
    /// tell.
    public var isAnotherUsers: Bool { line.isAnotherUsers }

    /// Seconds after which a daemon hangs that has not answered what it knows.
    private static let patience = 10
    /// Commands that the daemon answers by itself, and at once.
    private static let answeredAtOnce: Set<ControlMethod> = [
        .status, .homes, .networks, .registration, .notifications, .readTrack,
    ]
    /// Commands of the doctor, for which the daemon asks Home Assistant or a relay.
    private static let examinations: Set<ControlMethod> = [.examine, .checkRelay]

    /// Seconds to wait for the answer to a command; 0 for no bound.
    private static func patience(for method: ControlMethod) -> Int {
        answeredAtOnce.contains(method) ? patience : examinations.contains(method) ? 90 : 0
    }

    /// Request that comes before others, to see that the daemon answers.
    private static let firstRequest = ControlRequest(.homes, home: nil)

    /// Throws an error that shows a daemon which does not answer. Who may not list the homes may send the
    /// request itself, and is told whether that is permitted.
    private static func throwIfHanging(_ error: ControlError) throws(ControlError) {
        if error.exitCode == .unavailable { throw error }
    }

    /// Bounds the wait for an answer that the daemon gives at once. Throws before another request is sent to a
    /// daemon that hangs: the daemon might carry the request out much later.
    private func prepare(_ command: ControlCommand) throws(ControlError) {
        line.wait(atMost: Self.patience)
        if Self.answeredAtOnce.contains(command.method) { return }
        do throws(ControlError) {
            _ = try line.call(Self.firstRequest, returning: HomesReport.self)
        } catch {
            try Self.throwIfHanging(error)
        }
        line.wait(atMost: 0)
    }

    /// Asks, and waits for the answer.
    public func call<Value: Codable & Sendable>(
        _ command: ControlCommand, returning: Value.Type
    ) throws(ControlError) -> Value {
        try prepare(command)
        return try line.call(ControlRequest(command, home: home), returning: returning)
    }

    /// Asks, and waits for the answer while the loop turns: for what Home Assistant is asked.
    @LoopActor public func callWhileLoopTurns<Value: Codable & Sendable>(
        _ command: ControlCommand, returning: Value.Type
    ) async throws(ControlError) -> Value {
        do throws(ControlError) {
            _ = try await line.callWhileLoopTurns(
                Self.firstRequest, returning: HomesReport.self, within: Self.patience)
        } catch {
            try Self.throwIfHanging(error)
        }
        return try await line.callWhileLoopTurns(
            ControlRequest(command, home: home), returning: returning)
    }

    /// Connections that one command opens at once: the daemon has other clients.
    private static let atOnce = 8

    /// Asks about several homes at once, and waits for all answers.
    public func call<Value: Codable & Sendable>(
        _ command: ControlCommand, about homes: [String], returning: Value.Type
    ) -> [Result<Value, ControlError>] {
        stride(from: 0, to: homes.count, by: Self.atOnce).flatMap { start in
            let lines = homes[start...].prefix(Self.atOnce).map { home in
                Result { () throws(ControlError) in
                    let line = try LineClient<ControlRequest>(path: path)
                    line.wait(atMost: Self.patience(for: command.method))
                    try line.send(ControlRequest(command, home: home))
                    return line
                }
            }
            return lines.map { line in
                Result { () throws(ControlError) in try line.get().next(returning) }
            }
        }
    }

    /// Asks, and gives each answer to `body` until that returns false or the daemon ends the
    /// connection.
    public func stream<Value: Codable & Sendable>(
        _ command: ControlCommand, of: Value.Type, _ body: (Value) -> Bool
    ) throws(ControlError) {
        try prepare(command)
        line.wait(atMost: 0)
        try line.stream(ControlRequest(command, home: home), of: of, body)
    }
}
