import HomingBase
import HomingControl
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingSession

/// The helper and its daemon: a real socket, on a virtual clock.
@Suite(.serialized) struct SessionHelperTests {
    private let folder: TemporaryFolder
    private var socket: String { folder.file("control.sock") }

    init() throws {
        LoopThread.start()
        folder = try TemporaryFolder()
    }

    /// A daemon that welcomes each helper.
    @LoopActor private final class PlayedDaemon {
        private(set) var greetings = 0
        private(set) var reports: [DesktopReport] = []
        private var helper: OpenRequest?
        private var server: LineServer<ControlRequest>?

        init(at path: String) throws {
            server = try LineServer(
                path: path, handler: { [weak self] in self?.handleCommand($0.command, $1) })
        }

        private func handleCommand(_ command: ControlCommand, _ client: OpenRequest) {
            switch command {
            case .attendDesktop:
                greetings += 1
                helper = client
                order(.welcome)
            case .reportDesktop(let report):
                reports.append(report)
                client.reply(Done())
            default: Issue.record("\(command)")
            }
        }

        func order(_ order: DesktopOrder) { helper?.stream(order) }

        func end() { server?.shutdown() }
    }

    /// Lets the loop turn until that is so; virtual time stands still meanwhile.
    @LoopActor private func turn(until isSo: () -> Bool) async throws {
        let deadline = SystemClock.now().uptime + Patience.moment
        while !isSo() {
            try #require(SystemClock.now().uptime < deadline, "it did not come about")
            await Watch.pause(0.001)
        }
    }

    @Test("Without a daemon it tries after 1, 2, 4, 8 and 16 s, and then every 30 s, for hours")
    @LoopActor func rhythm() {
        let clock = VirtualClock()
        let helper = SessionHelper(socket: socket, clock: clock) {}
        helper.start()
        defer { helper.shutdown() }
        var tries: [Int] = []
        for second in 1...(3 * 3600) {
            let before = clock.count
            clock.pass(1)
            if clock.count > before { tries.append(second) }
        }
        #expect(Array(tries.prefix(7)) == [1, 3, 7, 15, 31, 61, 91])
        #expect(zip(tries.dropFirst(5), tries.dropFirst(4)).allSatisfy { $0 - $1 == 30 })
        #expect(tries.count == 5 + (3 * 3600 - 31) / 30)
    }

    @Test("A daemon that comes is met at the next try, one that went is tried again in a second")
    @LoopActor func returns() async throws {
        let clock = VirtualClock()
        let helper = SessionHelper(socket: socket, clock: clock) {}
        helper.start()
        defer { helper.shutdown() }
        clock.pass(3600)
        for _ in 0..<3 {
            let daemon = try PlayedDaemon(at: socket)
            clock.pass(30)
            try await turn { daemon.greetings == 1 }
            daemon.end()
            try await turn { !clock.isIdle }
            let next = try PlayedDaemon(at: socket)
            clock.pass(0.9)
            await Watch.pause(0.005)
            #expect(next.greetings == 0)
            clock.pass(0.1)
            try await turn { next.greetings == 1 }
            next.end()
            try await turn { !clock.isIdle }
            clock.pass(600)
        }
    }

    @Test("What was to be done before a time that is over by its clock is not done")
    @LoopActor func late() async throws {
        let clock = VirtualClock(uptime: 1e8)
        let daemon = try PlayedDaemon(at: socket)
        let helper = SessionHelper(socket: socket, clock: clock) {}
        helper.start()
        defer {
            helper.shutdown()
            daemon.end()
        }
        try await turn { daemon.greetings == 1 }
        daemon.order(.perform(number: 1, deed: .lock, until: clock.now().uptime - 1))
        try await turn { !daemon.reports.isEmpty }
        #expect(daemon.reports == [.done(number: 1, problem: "it was asked too long ago")])
    }
}
