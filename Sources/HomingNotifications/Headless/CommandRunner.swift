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
    /// Gets how a command ended, once.
    public typealias Completion = @LoopActor (CommandOutcome) -> Void

    /// Commands that may run at a time; more fail.
    public nonisolated static let limit = 4

    private var confinement: Confinement
    private var running: [Int: ChildProcess] = [:]
    private var last = 0

    public init(confinement: Confinement = .none) { self.confinement = confinement }

    /// Programs are started with this from now on.
    public func confine(_ confinement: Confinement) { self.confinement = confinement }

    /// How many are running.
    public var count: Int { running.count }

    /// Starts a command. The completion is called later, from the loop.
    ///
    /// - Parameter input: what the command reads, at most `ChildProcess.inputLimit` bytes.
    public func run(
        _ command: Command, input: [UInt8] = [], completion: @escaping Completion
    ) {
        if let reason = defect(command, input) {
            spawn { completion(.failed(reason)) }
            return
        }
        last += 1
        let number = last
        do throws(SystemError) {
            running[number] = try ChildProcess(
                command.arguments[0], Array(command.arguments.dropFirst()),
                environment: ProcessEnvironment.inherited, input: input, folder: nil,
                timeout: command.timeout, limit: nil, endsGroup: false, confinement: confinement
            ) { [weak self] result in
                self?.running[number] = nil
                completion(CommandOutcome(result.ending))
            }
        } catch {
            spawn { completion(.failed(error.description)) }
        }
    }

    private func defect(_ command: Command, _ input: [UInt8]) -> String? {
        if running.count >= Self.limit { return "\(Self.limit) commands are running already" }
        if input.count > ChildProcess.inputLimit { return "its input is too large" }
        guard let program = command.arguments.first, program.hasPrefix("/") else {
            return "it does not begin with the path of a program"
        }
        return nil
    }
}

extension CommandOutcome {
    fileprivate init(_ ending: ChildProcess.Ending) {
        switch ending {
        case .exited(let status): self = .exited(status)
        case .signalled(let signal): self = .killed(signal: signal)
        case .timedOut, .wroteTooMuch: self = .timedOut
        }
    }
}
