internal import CLinux
internal import Glibc

/// A program run on the loop, without a shell: watched, bounded, and reaped whatever happens.
///
/// It leads a process group of its own. When it takes too long or writes too much, the whole group is
/// killed; by default also when it ends, so that nothing it started lives on. Nothing here waits for
/// it.
@LoopActor public final class ChildProcess {
    /// End of the process.
    public enum Ending: Equatable, Sendable {
        /// End by the process itself, with that status.
        case exited(Int32)
        /// End by a signal that was not ours.
        case signalled(Int32)
        /// Kill of a process that took longer than allowed.
        case timedOut
        /// Kill of a process that wrote more than allowed.
        case wroteTooMuch
    }

    /// Result that the process leaves.
    public struct Result: Equatable, Sendable {
        public let ending: Ending
        /// Bytes that the process wrote on its standard output, up to the limit.
        public let output: [UInt8]
        /// The end of what it wrote on its standard error: at most 1 KiB.
        public let errors: [UInt8]
    }

    /// Environment that a program needs and that is no business of its caller.
    nonisolated public static let plainEnvironment = [
        "LANG=C.UTF-8", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    ]
    /// The most that is given to it, in bytes: what fits into a pipe, so that a program which does not
    /// read cannot make us wait. pipe(7).
    nonisolated public static let inputLimit = 64 << 10
    private static let errorsLimit = 1024

    private let process: pid_t
    private let limit: Int
    private let endsGroup: Bool
    private var completion: (@LoopActor (Result) -> Void)?
    private var output: OutputPipe?
    private var errors: OutputPipe?
    private var exit: Watch?
    private var deadline: Watch?
    private var isComplete = false

    /// Starts it. It inherits no descriptor.
    ///
    /// - Parameters:
    ///   - path: absolute.
    ///   - input: what it reads on its standard input, at most `inputLimit` bytes.
    ///   - folder: its working directory; ours if `nil`.
    ///   - timeout: seconds until it is killed.
    ///   - limit: bytes on its standard output after which it is killed. If `nil`, all that it writes
    ///     goes where our own errors go.
    ///   - endsGroup: whether what it started is killed when it ends by itself.
    ///   - confinement: the files it may not read.
    ///   - completion: called once, unless it is called off.
    public init(
        _ path: String, _ arguments: [String] = [],
        environment: [String] = ChildProcess.plainEnvironment, input: [UInt8] = [],
        folder: String? = "/", timeout: Seconds, limit: Int?, endsGroup: Bool = true,
        confinement: Confinement = .none, completion: @escaping @LoopActor (Result) -> Void
    ) throws(SystemError) {
        let output = limit == nil ? nil : try OutputPipe()
        let errors = limit == nil ? nil : try OutputPipe()
        let launcher = ProcessLauncher(
            path: path, arguments: arguments, environment: environment, folder: folder,
            output: output?.writeEnd ?? STDERR_FILENO, errors: errors?.writeEnd ?? STDERR_FILENO)
        process = try launcher.launch(input: input, confinement: confinement)
        self.limit = limit ?? .max
        self.endsGroup = endsGroup
        self.completion = completion
        self.output = output
        self.errors = errors
        try reapAtExit(path)
        deadline = Watch.once(after: timeout) { [weak self] in self?.kill(.timedOut) }
        output?.read { [weak self] in self?.checkLimit() }
        errors?.read { [weak errors] in errors?.keepLast(Self.errorsLimit) }
    }

    /// Kills it and what it started; the completion will not be called.
    public func cancel() {
        completion = nil
        kill(.timedOut)
    }

    /// Keeps this object until the process is reaped.
    private func reapAtExit(_ path: String) throws(SystemError) {
        let descriptor = pidfd_open(process, 0)
        guard descriptor >= 0 else {
            let failure = SystemError("cannot watch \(path)")
            Glibc.kill(-process, SIGKILL)
            waitpid(process, nil, 0)
            throw failure
        }
        exit = Watch.readable(descriptor) {
            close(descriptor)
            self.reap()
            return .done
        }
    }

    private func checkLimit() {
        if let output, output.content.count > limit { kill(.wroteTooMuch) }
    }

    /// Its end need not be waited for: one that hangs in the kernel dies when it can.
    private func kill(_ reason: Ending) {
        guard exit != nil, !isComplete else { return }
        Glibc.kill(-process, SIGKILL)
        complete(reason)
    }

    /// Reaps the process, which has ended. Until then the number of the process and of its group is
    /// nobody else's.
    private func reap() {
        if endsGroup { Glibc.kill(-process, SIGKILL) }
        var status: Int32 = 0
        waitpid(process, &status, WNOHANG)
        exit = nil
        complete(Self.ending(status))
    }

    private func complete(_ ending: Ending) {
        guard !isComplete else { return }
        isComplete = true
        let (output, errors) = (output, errors)
        (self.output, self.errors, deadline) = (nil, nil, nil)
        output?.finish()
        errors?.finish()
        errors?.keepLast(Self.errorsLimit)
        let written = output?.content ?? []
        let result = Result(
            ending: written.count > limit ? .wroteTooMuch : ending,
            output: Array(written.prefix(limit)), errors: errors?.content ?? [])
        let completion = completion
        self.completion = nil
        completion?(result)
    }

    /// The macros of wait(2), which Swift does not see.
    private static func ending(_ status: Int32) -> Ending {
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
    }
}
