internal import CLinux
internal import Glibc

/// posix_spawn(3), with everything set to what a program expects and nothing of ours left open.
struct ProcessLauncher: Sendable {
    let path: String
    let arguments: [String]
    let environment: [String]
    let folder: String?
    /// Descriptors of ours.
    let output: Int32
    let errors: Int32

    /// Starts the program in a process group of its own; the caller reaps it.
    func launch(input: [UInt8], confinement: Confinement) throws(SystemError) -> pid_t {
        let start = { @Sendable () -> Result<pid_t, SystemError> in
            Result { () throws(SystemError) in try spawn(input: input) }
        }
        return try confinement.run(start).get()
    }

    private func spawn(input: [UInt8]) throws(SystemError) -> pid_t {
        let source = try Self.source(of: input)
        defer { close(source) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, source, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
        if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
        return try spawn(&actions)
    }

    private func spawn(_ actions: inout posix_spawn_file_actions_t) throws(SystemError) -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Signals we ignore or block are not the program's business.
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var process: pid_t = 0
        let error = Self.withStrings([path] + arguments) { arguments in
            Self.withStrings(environment) { variables in
                posix_spawn(&process, path, &actions, &attributes, arguments, variables)
            }
        }
        guard error == 0 else { throw SystemError("cannot run \(path)", number: error) }
        return process
    }

    /// A descriptor that these bytes, and then the end, can be read from.
    private static func source(of input: [UInt8]) throws(SystemError) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError("cannot make a pipe") }
        defer { close(ends[1]) }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        guard input.isEmpty || write(ends[1], input, input.count) == input.count else {
            close(ends[0])
            throw SystemError("cannot fill a pipe")
        }
        return ends[0]
    }

    /// Lends the strings as a list that ends with a null.
    private static func withStrings<T>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> T
    ) -> T {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies + [nil])
    }
}
