internal import Glibc
public import HomingBase
public import HomingRuntime

/// A program with its arguments, and how long it may take.
public struct Command: Equatable, Sendable {
    /// The path of the program, then its arguments, as they are: no shell reads them.
    public var arguments: [String]
    /// Seconds after which it is killed, with what it started.
    public var timeout: Seconds

    public init(_ arguments: [String], timeout: Seconds = 30) {
        self.arguments = arguments
        self.timeout = timeout
    }
}

/// How a command ended.
public enum CommandOutcome: Equatable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
    /// It was killed because its time was over.
    case timedOut
    /// It could not be started; why.
    case failed(String)
}

/// Runs configured commands: no shell, nothing of the network in their arguments, input as JSON on
/// standard input, no descriptor of ours but the log's, and an end.
@LoopActor public final class CommandRunner {
    /// How a command ended; told once.
    public typealias Completion = @LoopActor (CommandOutcome) -> Void

    /// Commands that may run at a time; more fail.
    public nonisolated static let limit = 4
    /// The most that is given to a command, in bytes: what fits into a pipe, so that a command which
    /// does not read cannot make us wait. pipe(7).
    public nonisolated static let inputLimit = 64 << 10

    /// The files that no command may read.
    public var confinement: Confinement
    private var running: [pid_t: RunningCommand] = [:]

    public init(confinement: Confinement = .none) { self.confinement = confinement }

    /// How many are running.
    public var count: Int { running.count }

    /// Starts a command. The completion is called later, from the loop.
    public func run(
        _ command: Command, input: [UInt8] = [], completion: @escaping Completion
    ) {
        if let reason = defect(command, input) {
            spawn { completion(.failed(reason)) }
            return
        }
        switch Spawned.start(command.arguments, input: input, confinement: confinement) {
        case .failure(let error): spawn { completion(.failed(error.description)) }
        case .success(let process):
            running[process] = RunningCommand(
                process, timeout: command.timeout
            ) { [weak self] outcome in
                self?.running[process] = nil
                completion(outcome)
            }
        }
    }

    private func defect(_ command: Command, _ input: [UInt8]) -> String? {
        if running.count >= Self.limit { return "\(Self.limit) commands are running already" }
        if input.count > Self.inputLimit { return "its input is too large" }
        guard let program = command.arguments.first, program.hasPrefix("/") else {
            return "it does not begin with the path of a program"
        }
        return nil
    }
}

/// A child that is waited for.
@LoopActor private final class RunningCommand {
    private let process: pid_t
    private var timer: Watch?
    private var end: Watch?
    private var isOverdue = false
    private let ended: CommandRunner.Completion

    init(_ process: pid_t, timeout: Seconds, ended: @escaping CommandRunner.Completion) {
        self.process = process
        self.ended = ended
        timer = Watch.timer(timeout) { [weak self] in
            self?.isOverdue = true
            self?.timer = nil
            // Its process group: what it started goes with it.
            kill(-process, SIGKILL)
            return .done
        }
        end = Watch.child(process) { [weak self] status in self?.hasEnded(status) }
    }

    private func hasEnded(_ status: Int32) {
        timer = nil
        end = nil
        // wait(2): the low seven bits are the signal.
        let signal = status & 0x7f
        if isOverdue { return ended(.timedOut) }
        ended(signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal: signal))
    }
}
