internal import CLinux
internal import Glibc

/// posix_spawn(3), with everything set to what a program expects and nothing of ours left open.
enum ProcessLauncher {
    /// Starts a program in a process group of its own; the caller reaps it.
    static func launch(
        _ path: String, _ arguments: [String], environment: [String], output: Int32, errors: Int32,
        confinement: Confinement
    ) throws(SystemError) -> pid_t {
        let start = { @Sendable () -> Result<pid_t, SystemError> in
            do throws(SystemError) {
                return .success(
                    try launch(
                        path, arguments, environment: environment, output: output, errors: errors))
            } catch {
                return .failure(error)
            }
        }
        return try confinement.run(start).get()
    }

    private static func launch(
        _ path: String, _ arguments: [String], environment: [String], output: Int32, errors: Int32
    ) throws(SystemError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
        posix_spawn_file_actions_addchdir_np(&actions, "/")
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
        let error = withStrings([path] + arguments) { arguments in
            withStrings(environment) { variables in
                posix_spawn(&process, path, &actions, &attributes, arguments, variables)
            }
        }
        guard error == 0 else { throw SystemError("cannot run \(path)", number: error) }
        return process
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
