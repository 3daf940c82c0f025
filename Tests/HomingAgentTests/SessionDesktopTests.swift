import HomingCore
import HomingNotifications
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// What an earlier daemon left on a user's desktop, or on its way there.
@Suite struct SessionDesktopTests {
    private let folder: TemporaryFolder
    private let clock = VirtualClock()

    init() throws {
        LoopThread.start()
        folder = try TemporaryFolder()
    }

    /// A later daemon, and what it is told.
    @LoopActor private func daemon() -> (desktops: SessionDesktops, told: Told) {
        let told = Told()
        let desktops = SessionDesktops(folder: folder.path, clock: clock)
        desktops.deliver = { event, _ in told.events.append(event) }
        return (desktops, told)
    }

    @LoopActor private final class Told {
        var events: [NotifierEvent] = []
    }

    @LoopActor private func leave(_ titles: [String], shown: Set<String>) {
        let entries = titles.map { title in
            var draft = PushMessage.Draft()
            draft.title = title
            return SessionDesktop.Entry(
                key: title, message: PushMessage(draft), isShown: shown.contains(title))
        }
        ShownFile(folder: folder.path).store([ShownFile.Desktop(user: 1000, entries: entries)])
    }

    @Test("What was on its way when the daemon ended is told elsewhere if no helper comes back")
    @LoopActor func unshown() {
        leave(["shown", "on its way"], shown: ["shown"])
        let (desktops, told) = daemon()
        clock.pass(59)
        #expect(told.events.isEmpty)
        clock.pass(2)
        let failed = told.events.map { (event) -> String? in
            if case .failed(let message, _) = event { message.title } else { nil }
        }
        #expect(failed == ["on its way"])
        #expect(desktops.all.map { $0.entries.map(\.key) } == [["shown"]])
        #expect(ShownFile(folder: folder.path).load().map { $0.entries.map(\.key) } == [["shown"]])
    }

    @Test("After the machine slept, what was on its way has its time again")
    @LoopActor func slept() {
        leave(["on its way"], shown: [])
        let (desktops, told) = daemon()
        clock.pass(55)
        desktops.resume()
        clock.pass(59)
        #expect(told.events.isEmpty)
        clock.pass(2)
        #expect(told.events.count == 1)
    }
}
