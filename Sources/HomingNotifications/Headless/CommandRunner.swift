public import HomingRuntime

/// A program with its arguments, and how long it may take.
public struct Command: Equatable, Sendable {
    /// The path of the program, then its arguments, as they are: no shell reads them.
    public var arguments: [String]
    /// Seconds after which it is killed, with what it started.
    public var timeout: Seconds

    public init(_ arguments: [String] = [], timeout: Seconds = 30) {
        self.arguments = arguments
        self.timeout = timeout
    }
}

/// Runs configured commands: no shell, nothing of the network in their arguments, input as JSON on
/// standard input, no descriptor of ours but the log's, and an end.
@LoopActor public final class CommandRunner {
    /// Gets what went wrong with a command, to follow its name, once; `nil` if it ended well.
    public typealias Completion = @LoopActor (String?) -> Void

    /// Commands that may run at a time; more fail.
    public nonisolated static let limit = 4

    private var confinement: Confinement
    private var running: [Int: ChildProcess] = [:]
    private var last = 0

    public init(confinement: Confinement = .none) { self.confinement = confinement }

    /// Programs are started with this from now on.
    public func confine(_ confinement: Confinement) { self.confinement = confinement }

    /// Number of commands that are running.
    public var count: Int { running.count }

    /// Starts a command. The completion is called later, from the loop.
    ///
    /// - Parameter input: what the command reads, at most `ChildProcess.inputLimit` bytes.
    public func run(
        _ command: Command, input: [UInt8] = [], completion: @escaping Completion
    ) {
        if let reason = defect(command, input) { return fail(reason, completion) }
        last += 1
        let number = last
        do throws(SystemError) {
            running[number] = try ChildProcess(
                command.arguments[0], Array(command.arguments.dropFirst()),
                environment: ProcessEnvironment.inherited, input: input, folder: nil,
                timeout: command.timeout, limit: nil, endsGroup: false, confinement: confinement
            ) { [weak self] result in
                self?.running[number] = nil
                completion(Self.problem(result.ending))
            }
        } catch {
            fail(error.description, completion)
        }
    }

    private func fail(_ reason: String, _ completion: @escaping Completion) {
        spawn { completion("could not be started: \(reason)") }
    }

    private func defect(_ command: Command, _ input: [UInt8]) -> String? {
        if running.count >= Self.limit { return "\(Self.limit) commands are running already" }
        if input.count > ChildProcess.inputLimit { return "its input is too large" }
        guard let program = command.arguments.first, program.hasPrefix("/") else {
            return "it does not begin with the path of a program"
        }
        return nil
    }

    private static func problem(_ ending: ChildProcess.Ending) -> String? {
        switch ending {
        case .exited(0): nil
        case .exited(let status): "ended with status \(status)"
        case .signalled(let signal): "was ended by signal \(signal)"
        case .timedOut, .wroteTooMuch: "took longer than its timeout and was ended"
        }
    }
}
