import Glibc
import HomingRuntime
import HomingTestKit
import Testing

@Suite struct ChildProcessTests {
    init() { LoopThread.start() }

    @LoopActor private func run(
        _ script: String, timeout: Seconds = 20, limit: Int = 65_536
    ) async throws -> ChildProcess.Result {
        try await withCheckedThrowingContinuation { continuation in
            do {
                _ = try ChildProcess("/bin/sh", ["-c", script], timeout: timeout, limit: limit) {
                    continuation.resume(returning: $0)
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    private func output(_ result: ChildProcess.Result) -> String {
        String(decoding: result.output, as: UTF8.self)
    }

    /// Whether there is such a process, other than a dead one that nobody has buried.
    private func isAlive(_ process: pid_t) -> Bool {
        guard let status = HostFiles().text("/proc/\(process)/stat") else { return false }
        // The name before it may hold anything.
        return status[(status.lastIndex(of: ")") ?? status.startIndex)...].prefix(3) != ") Z"
    }

    private func dies(_ process: pid_t) async {
        while isAlive(process) { await turn() }
    }

    @LoopActor private func turn() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            var timer: Watch?
            timer = Watch.timer(0.01) {
                withExtendedLifetime(timer) { timer = nil }
                continuation.resume()
                return .done
            }
        }
    }

    @Test("what it writes arrives whole, and so does its status")
    func status() async throws {
        let result = try await run("echo one; echo two >&2; exit 3")
        #expect(result.ending == .exited(3))
        #expect(output(result) == "one\n")
        #expect(String(decoding: result.errors, as: UTF8.self) == "two\n")
    }

    @Test("a signal that is not ours is told")
    func signal() async throws {
        #expect(try await run("kill -USR1 $$").ending == .signalled(SIGUSR1))
    }

    @Test("it sees neither our variables nor our descriptors, signals nor folder")
    func surroundings() async throws {
        let leak = open("/dev/null", O_RDONLY)
        defer { close(leak) }
        Glibc.signal(SIGPIPE, SIG_IGN)
        let variables = output(try await run("exec /usr/bin/env")).split(separator: "\n")
        // Those the shell adds.
        let shells = ["PWD=", "SHLVL=", "_=", "OLDPWD="]
        let given = variables.filter { line in !shells.contains { line.hasPrefix($0) } }
        #expect(given.map { String($0) }.sorted() == ChildProcess.plainEnvironment)
        // The folder itself is the fourth.
        #expect(output(try await run("exec ls /proc/self/fd")) == "0\n1\n2\n3\n")
        #expect(output(try await run("exec pwd -P")) == "/\n")
        let ignored = output(try await run("exec grep SigIgn: /proc/self/status"))
        let mask = try #require(
            ignored.split(whereSeparator: \.isWhitespace).last.flatMap { UInt64($0, radix: 16) })
        #expect(mask & 1 << UInt64(SIGPIPE - 1) == 0)
        #expect(output(try await run("cat; echo end")) == "end\n")
    }

    @Test("one that takes too long is killed, with all it started")
    func timeout() async throws {
        let result = try await run("sleep 1000 & echo $$ $!; wait", timeout: 0.5)
        #expect(result.ending == .timedOut)
        let processes = output(result).split(whereSeparator: \.isWhitespace).compactMap {
            pid_t($0)
        }
        try #require(processes.count == 2)
        for process in processes { await dies(process) }
    }

    @Test("one that hides behind closed outputs is killed all the same")
    func closedOutputs() async throws {
        let result = try await run("exec >&- 2>&-; exec sleep 1000", timeout: 0.3)
        #expect(result.ending == .timedOut)
    }

    @Test("what it leaves running is killed when it ends, and is not waited for")
    func leftovers() async throws {
        let result = try await run("sleep 1000 & echo $!")
        #expect(result.ending == .exited(0))
        await dies(try #require(pid_t(output(result).dropLast())))
    }

    @Test("one that writes too much is killed, and what it wrote is cut")
    func tooMuch() async throws {
        let result = try await run("exec yes", limit: 10_000)
        #expect(result.ending == .wroteTooMuch)
        #expect(result.output.count == 10_000)
        let justEnough = try await run("exec head -c 10000 /dev/zero", limit: 10_000)
        #expect(justEnough.ending == .exited(0))
        #expect(justEnough.output.count == 10_000)
        let oneMore = try await run("exec head -c 10001 /dev/zero", limit: 10_000)
        #expect(oneMore.ending == .wroteTooMuch)
    }

    @Test("of what it says on standard error the end is kept, however much it is")
    func errors() async throws {
        let result = try await run("yes x | head -c 1000000 >&2; echo last words >&2")
        #expect(result.ending == .exited(0))
        #expect(result.errors.count == 1024)
        #expect(String(decoding: result.errors, as: UTF8.self).hasSuffix("last words\n"))
    }

    @Test("it is buried, so that no dead process stays")
    func noZombie() async throws {
        let result = try await run("echo $$")
        let process = try #require(pid_t(output(result).dropLast()))
        #expect(access("/proc/\(process)", F_OK) != 0)
    }

    @Test("one that is called off is killed, and its end is not told")
    @LoopActor func cancel() async throws {
        let folder = try TemporaryFolder()
        let mark = "\(folder.path)/mark"
        let process = try ChildProcess(
            "/bin/sh", ["-c", "echo $$ >\(mark).new; mv \(mark).new \(mark); exec sleep 1000"],
            timeout: 20, limit: 10
        ) { _ in Issue.record("its end was told") }
        while access(mark, F_OK) != 0 { await turn() }
        process.cancel()
        process.cancel()
        let number = try #require(HostFiles().line(mark).flatMap { pid_t($0) })
        while access("/proc/\(number)", F_OK) == 0 { await turn() }
    }

    @Test("what cannot be run says why, and no shell is asked instead")
    @LoopActor func cannotRun() throws {
        let folder = try TemporaryFolder()
        let plain = try folder.write("echo hello\n", to: "plain")
        let cases = [
            ("\(folder.path)/absent", ENOENT), (plain, EACCES), (folder.path, EACCES),
        ]
        for (path, number) in cases {
            let error = try thrown(SystemError.self) {
                try ChildProcess(path, timeout: 1, limit: 10) { _ in }
            }
            #expect(error?.number == number, "\(path)")
        }
        let program = try folder.writeProgram("echo hello\n", to: "program", mode: 0o700)
        let error = try thrown(SystemError.self) {
            try ChildProcess(program, timeout: 1, limit: 10) { _ in }
        }
        #expect(error?.number == ENOEXEC)
    }
}
