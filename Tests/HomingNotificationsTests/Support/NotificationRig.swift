import Glibc
import HomingNotifications
import HomingRuntime
import Testing

/// Rig/server.py: a session bus with a notification server on it. Goes when it is let go, or we do.
@LoopActor final class NotificationRig {
    private let input: Int32
    private let output: Int32
    private let process: pid_t
    /// Address of the bus.
    private(set) var address = ""

    /// - Parameter kind: `mock` with its capabilities, `dunst` or `mate`.
    init(_ kind: String...) throws {
        var toChild: [Int32] = [-1, -1]
        var fromChild: [Int32] = [-1, -1]
        try #require(pipe(&toChild) == 0 && pipe(&fromChild) == 0)
        for end in toChild + fromChild { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let arguments =
            ["setpriv", "--pdeathsig", "KILL", "/usr/bin/python3", "/\(folder)/Rig/server.py"]
            + kind
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toChild[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, fromChild[1], STDOUT_FILENO)
        var pointers = arguments.map { strdup($0) } + [nil]
        defer { pointers.forEach { free($0) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, "setpriv", &actions, nil, &pointers, environ)
        close(toChild[0])
        close(fromChild[1])
        (input, output, self.process) = (toChild[1], fromChild[0], process)
        try #require(code == 0)
        let line = line()
        try #require(line.hasPrefix("ready "), "the rig did not start: \(line)")
        address = String(line.dropFirst(6))
    }

    /// Has it do something. Its answer.
    @discardableResult
    func callAsFunction(_ command: String) throws -> String {
        let bytes = Array("\(command)\n".utf8)
        _ = write(input, bytes, bytes.count)
        let answer = line()
        try #require(!answer.isEmpty && !answer.hasPrefix("failed"), "\(command): \(answer)")
        return answer
    }

    private func line() -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(output, &byte, 1)
            if count < 0 && errno == EINTR { continue }
            guard count == 1, byte != 0x0a else { break }
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }

    deinit {
        close(input)
        close(output)
        kill(process, SIGTERM)
        waitpid(process, nil, 0)
    }
}

/// A notifier on a rig, and what it told.
@LoopActor final class Bench {
    let rig: NotificationRig
    private(set) var events: [NotifierEvent] = []
    private var at = 0
    private(set) var notifier: LocalDesktop!

    init(_ rig: NotificationRig) {
        self.rig = rig
        notifier = LocalDesktop(
            address: rig.address, runner: CommandRunner(), clock: SystemClock()
        ) { [weak self] in self?.events.append($0) }
    }

    /// The next event; the test fails if none comes within 10 s.
    func next() async throws -> NotifierEvent {
        let deadline = SystemClock.now().uptime + 10
        while at >= events.count {
            try #require(SystemClock.now().uptime < deadline, "nothing came after \(events)")
            await Watch.pause(0.01)
        }
        at += 1
        return events[at - 1]
    }

    /// Shows it and waits until the server has it.
    func show(_ message: PushMessage, image: String? = nil) async throws {
        notifier.show(message, image: image)
        #expect(try await next() == .shown(message))
    }

    /// Whether nothing else was told within a second.
    func isQuiet() async -> Bool {
        await Watch.pause(1)
        return at == events.count
    }
}
