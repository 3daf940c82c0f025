import Glibc
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingNotifications

/// The journal and the command hook.
@Suite("Without a desktop", .serialized) struct HeadlessTests {
    init() { LoopThread.start() }

    @Test("A notification is one line, with its parts as fields")
    func journal() {
        let message = PushMessage(
            message: "two\nlines", title: "T", tag: "t", urgency: .critical)
        #expect(JournalNotifier.line(message) == "notification: T: two / lines")
        #expect(JournalNotifier.level(message.urgency) == .warning)
        let fields = JournalNotifier.fields(message).map { "\($0.name)=\($0.value)" }
        #expect(
            fields == [
                "NOTIFICATION_TITLE=T", "NOTIFICATION_MESSAGE=two\nlines", "NOTIFICATION_TAG=t",
                "NOTIFICATION_URGENCY=critical",
            ])
    }

    @Test("On a terminal it is a few lines, and nothing that the terminal obeys")
    func terminals() {
        let bell = PushMessage(
            message: "two\n\u{1b}[31mlines\u{7}", title: "T", subtitle: "S")
        #expect(TerminalNotifier.text(bell) == "T\nS\ntwo\n[31mlines\n")
        let long = TerminalNotifier.text(
            PushMessage(message: String(repeating: "line\n", count: 100)))
        #expect(long.split(separator: "\n").count == TerminalNotifier.lineLimit)
        #expect(long.hasSuffix("line…\n"))
        let wide = TerminalNotifier.text(PushMessage(message: String(repeating: "ü", count: 2000)))
        #expect(wide.count == TerminalNotifier.characterLimit + 2)
    }

    @LoopActor private func run(
        _ arguments: [String], input: String = "", timeout: Seconds = 10,
        by runner: CommandRunner = CommandRunner()
    ) async -> String? {
        await withCheckedContinuation { continuation in
            runner.run(Command(arguments, timeout: timeout), input: Array(input.utf8)) {
                continuation.resume(returning: $0)
            }
        }
    }

    private func read(_ path: String) throws -> String {
        String(decoding: try AtomicFile.read(path), as: UTF8.self)
    }

    @Test("It gets its input, and its end is told")
    @LoopActor func input() async throws {
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/out"
        let json = #"{"title":"$(id)","n":1}"#
        #expect(await run(["/usr/bin/dd", "of=\(file)", "status=none"], input: json) == nil)
        #expect(try read(file) == json)
        #expect(await run(["/bin/false"]) == "ended with status 1")
        #expect(await run(["/bin/true"], input: json) == nil)
        #expect(await run(["/bin/sh", "-c", "kill -TERM $$"]) == "was ended by signal 15")
    }

    @Test("No shell reads its arguments")
    @LoopActor func noShell() async throws {
        let folder = try TemporaryFolder()
        let strange = "\(folder.path)/$(touch x);`id`&& *"
        #expect(await run(["/usr/bin/touch", strange]) == nil)
        #expect(access(strange, F_OK) == 0)
    }

    @Test("When its time is over it goes, with what it started")
    @LoopActor func timeout() async throws {
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/pid"
        let script = "sleep 1000 & echo $! > \(file); wait"
        #expect(await run(["/bin/sh", "-c", script], timeout: 0.5)?.contains("timeout") == true)
        let process = try #require(pid_t(try read(file).filter(\.isNumber)))
        let deadline = SystemClock.now().uptime + 10
        // Until init has taken it, a killed process is a zombie.
        func isAlive() -> Bool {
            guard let status = try? read("/proc/\(process)/stat") else { return false }
            return !status.contains(") Z")
        }
        while isAlive(), SystemClock.now().uptime < deadline { await Watch.pause(0.01) }
        #expect(!isAlive())
    }

    @Test("What cannot be run fails with its reason")
    @LoopActor func failures() async {
        for arguments in [[], ["true"], ["./x"], ["/nowhere/program"], ["/etc/passwd"]] {
            let problem = await run(arguments)
            #expect(problem?.hasPrefix("could not be started") == true, "\(arguments)")
        }
        let large = String(repeating: "x", count: ChildProcess.inputLimit + 1)
        #expect(
            await run(["/bin/cat"], input: large)
                == "could not be started: its input is too large")
        let most = String(repeating: "x", count: ChildProcess.inputLimit)
        #expect(await run(["/bin/sleep", "0"], input: most) == nil)
    }

    @Test("Four run at a time, and no more")
    @LoopActor func limit() async {
        let runner = CommandRunner()
        var outcomes: [String?] = []
        for _ in 0..<6 {
            runner.run(Command(["/bin/sleep", "0.3"])) { outcomes.append($0) }
        }
        #expect(runner.count == 4)
        while outcomes.count < 6 { await Watch.pause(0.01) }
        #expect(outcomes.filter { $0 == nil }.count == 4)
        #expect(runner.count == 0)
        #expect(await run(["/bin/true"], by: runner) == nil)
    }

    @Test("It gets none of our descriptors, nor what is between systemd and us")
    @LoopActor func surroundings() async throws {
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/out"
        setenv("NOTIFY_SOCKET", "/run/x", 1)
        defer { unsetenv("NOTIFY_SOCKET") }
        let descriptor = open("/dev/null", O_RDONLY)
        defer { close(descriptor) }
        let script = "env > \(file); echo descriptors $(ls /proc/$$/fd) >> \(file)"
        #expect(await run(["/bin/sh", "-c", script]) == nil)
        let text = try read(file)
        #expect(!text.contains("NOTIFY_SOCKET"))
        #expect(text.contains("PATH="))
        #expect(!text.contains(" \(descriptor)\n") && !text.contains(" \(descriptor) "))
    }
}
