import Glibc
import HomingRuntime

/// A program run for a test; dies with it, whatever happens to it.
///
/// Started on the loop's thread alone: `PR_SET_PDEATHSIG` is bound to the thread, not the process.
@LoopActor final class Child {
    private let process: pid_t
    private let input: Int32
    private let output: Int32
    private var running = true

    /// - Parameters:
    ///   - unprivileged: runs as nobody where we are root, for programs that would change their
    ///     user themselves, which clears the signal of the parent's death.
    init(
        _ arguments: [String], environment: [String: String] = [:], unprivileged: Bool = false
    ) throws {
        var wrapper = ["setpriv", "--pdeathsig", "KILL"]
        if unprivileged && geteuid() == 0 {
            wrapper += ["--reuid=nobody", "--regid=nogroup", "--clear-groups"]
        }
        let (inputRead, inputWrite) = try Self.pipe()
        let (outputRead, outputWrite) = try Self.pipe()
        defer {
            close(inputRead)
            close(outputWrite)
        }
        input = inputWrite
        output = outputRead
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, inputRead, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, outputWrite, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var process: pid_t = 0
        let error = Self.withStrings(wrapper + arguments) { arguments in
            Self.withStrings(Self.variables(environment)) { variables in
                posix_spawnp(&process, "setpriv", &actions, nil, arguments, variables)
            }
        }
        self.process = process
        guard error == 0 else { throw SystemError("cannot run \(arguments)", number: error) }
    }

    deinit {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        close(input)
        close(output)
    }

    /// Kills it and waits for its end.
    func stop(_ signal: Int32 = SIGKILL) {
        guard running else { return }
        running = false
        kill(process, signal)
        kill(process, SIGCONT)
        waitid(P_PID, id_t(process), nil, WEXITED | WNOWAIT)
    }

    /// Freezes it, and waits until it is; or lets it go on.
    func freeze(_ frozen: Bool) {
        kill(process, frozen ? SIGSTOP : SIGCONT)
        if frozen { waitid(P_PID, id_t(process), nil, WSTOPPED | WEXITED | WNOWAIT) }
    }

    /// Writes a line to its input.
    func say(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = write(input, bytes, bytes.count)
    }

    /// The next line of its output; empty at the end or after 30 s.
    func line() async -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while await readable(), read(output, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }

    private func readable() async -> Bool {
        var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        for _ in 0..<3000 {
            if poll(&ready, 1, 0) > 0 { return true }
            await Watch.pause(0.01)
        }
        return false
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw SystemError("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func variables(_ added: [String: String]) -> [String] {
        var names: [String] = []
        var entry = environ
        while let variable = entry.pointee {
            names.append(String(cString: variable))
            entry += 1
        }
        names.removeAll { name in added.keys.contains { name.hasPrefix("\($0)=") } }
        return names + added.map { "\($0.key)=\($0.value)" }
    }

    private static func withStrings<T>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> T
    ) -> T {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies + [nil])
    }
}
