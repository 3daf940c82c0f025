internal import Glibc
internal import HomingRuntime

/// Starts a program as a child in a process group of its own.
enum Spawned {
    /// Variables that are between systemd and us, or our own.
    private static let ownVariables = [
        "NOTIFY_SOCKET=", "WATCHDOG_", "LISTEN_", "JOURNAL_STREAM=", "HOMING_",
    ]

    /// The child's id.
    ///
    /// - Parameters:
    ///   - arguments: the program's path first.
    ///   - input: what it reads on its standard input; at most what a pipe holds.
    ///   - confinement: the files it may not read.
    static func start(
        _ arguments: [String], input: [UInt8], confinement: Confinement
    ) -> Result<pid_t, SystemError> {
        do throws(SystemError) {
            return try confinement.run { start(arguments, input: input) }
        } catch {
            return .failure(error)
        }
    }

    private static func start(
        _ arguments: [String], input: [UInt8]
    ) -> Result<pid_t, SystemError> {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return .failure(SystemError("cannot make a pipe")) }
        defer { for end in ends { close(end) } }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        guard input.isEmpty || write(ends[1], input, input.count) == input.count else {
            return .failure(SystemError("cannot fill a pipe"))
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        for descriptor in inheritable { posix_spawn_file_actions_addclose(&actions, descriptor) }
        return start(arguments, &actions)
    }

    private static func start(
        _ arguments: [String], _ actions: inout posix_spawn_file_actions_t
    ) -> Result<pid_t, SystemError> {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // We ignore SIGPIPE; a program expects the default.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var process: pid_t = 0
        let path = arguments[0]
        let error = withStrings(arguments) { arguments in
            withStrings(environment) { environment in
                posix_spawn(
                    &process, path, &actions, &attributes, arguments, environment)
            }
        }
        guard error == 0 else {
            return .failure(SystemError("cannot run \(path)", number: error))
        }
        return .success(process)
    }

    /// Our descriptors that would stay open in a child, besides the three it is given.
    private static var inheritable: [Int32] {
        guard let folder = opendir("/proc/self/fd") else { return [] }
        defer { closedir(folder) }
        var found: [Int32] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
            if fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0 { found.append(descriptor) }
        }
        return found
    }

    /// Ours, but for what is our own.
    static var environment: [String] {
        var variables: [String] = []
        var entry = environ
        while let variable = entry.pointee {
            variables.append(String(cString: variable))
            entry += 1
        }
        return variables.filter { variable in
            !ownVariables.contains { variable.hasPrefix($0) }
        }
    }

    private static func withStrings<Value>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies + [nil])
    }
}
