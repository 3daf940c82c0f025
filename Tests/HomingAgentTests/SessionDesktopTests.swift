import HomeAssistantAPI
import HomingControl
import HomingNotifications
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Notifications that an earlier daemon left on a user's desktop, or on their way there.
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
        let desktops = SessionDesktops(folder: folder.path, expiry: { _ in 0 }, clock: clock) {
            event in
            if case .told(let event, _) = event { told.events.append(event) }
        }
        told.desktops = desktops
        return (desktops, told)
    }

    @LoopActor private final class Told {
        var events: [NotifierEvent] = []
        /// A desktop does not keep its owner.
        var desktops: SessionDesktops?
    }

    @LoopActor private func leave(_ titles: [String], shown: Set<String>) {
        let entries = titles.map { title in
            SessionDesktop.Entry(
                key: title, message: PushMessage(message: "", title: title),
                isShown: shown.contains(title))
        }
        SessionDesktops.shown(in: folder.path).store([
            SessionDesktops.Shown(user: 1000, entries: entries)
        ])
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
        #expect(
            SessionDesktops.shown(in: folder.path).load()?.map { $0.entries.map(\.key) } == [
                ["shown"]
            ])
    }

    @Test("A reason by the helper is one line, bounded, and gives no orders to a terminal")
    @LoopActor func reasons() throws {
        leave(["a"], shown: [])
        let (desktops, told) = daemon()
        let desktop = try #require(desktops.desktop(of: 1000))
        let evil = "\u{1B}]52;c;eA==\u{7}\n\u{9B}2J\u{202E}" + String(repeating: "ä", count: 500)
        #expect(desktop.acceptDesktopReport(.failed(key: "a", reason: evil)))
        guard case .failed(_, let reason)? = told.events.first else {
            Issue.record("it did not fail")
            return
        }
        #expect(reason.utf8.count <= 200 && reason.contains("52;c"))
        for scalar in reason.unicodeScalars {
            #expect(scalar.properties.generalCategory != .control && scalar != "\u{202E}")
        }
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

    /// Leaves a sticky notification on the desktop, as an earlier daemon did.
    @LoopActor private func leaveSticky() {
        let message = PushMessage(
            message: "", title: "Volume", isSticky: true,
            actions: ["UP", "DOWN"].map { OfferedAction(id: $0, title: $0) })
        let entry = SessionDesktop.Entry(key: "k", message: message, isShown: true)
        SessionDesktops.shown(in: folder.path).store([
            SessionDesktops.Shown(user: 1000, entries: [entry])
        ])
    }

    @Test("A sticky notification takes every answer, and is known until it is closed")
    @LoopActor func sticky() throws {
        leaveSticky()
        let (desktops, told) = daemon()
        let desktop = try #require(desktops.all.first)
        let message = desktop.entries[0].message
        let press = { (button: Int) in
            desktop.acceptDesktopReport(.chosen(key: "k", button: button, reply: nil, age: 0))
        }
        var taken = [press(0), press(1), press(1), press(2)]
        #expect(taken == [true, true, true, false], "there is no third button")
        taken = [
            desktop.acceptDesktopReport(.clicked(key: "k", age: 0)),
            desktop.acceptDesktopReport(.gone(key: "k")),
            press(0),
        ]
        #expect(taken == [true, true, false])
        let presses = [0, 1, 1].map { NotifierEvent.chosen(button: $0, reply: nil, message) }
        #expect(told.events == presses + [.clicked(message), .gone(message)])
        #expect(SessionDesktops.shown(in: folder.path).load() == [])
    }

    @Test("A sticky notification takes a hundred answers and no more, over restarts too")
    @LoopActor func stickyLimit() {
        leaveSticky()
        let events = (0..<2).reduce(0) { sum, _ in
            let (desktops, told) = daemon()
            for _ in 0..<60 {
                _ = desktops.all.first?.acceptDesktopReport(
                    .chosen(key: "k", button: 0, reply: nil, age: 0))
            }
            return sum + told.events.count
        }
        #expect(events == SessionDesktop.answersLimit)
    }
}
