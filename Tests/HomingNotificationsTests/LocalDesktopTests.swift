import HomeAssistantAPI
import HomingNotifications
import HomingRuntime
import HomingTestKit
import Testing

/// The desktop's notifications, with a mock that does what servers do, and with real servers.
@Suite("Desktop notifications", .serialized) struct LocalDesktopTests {
    init() { LoopThread.start() }

    private static let full = ["body", "body-markup", "actions", "inline-reply", "sound"]

    private func door(_ tag: String? = nil) -> PushMessage {
        PushMessage(
            message: "Somebody is at the door", title: "Front door", tag: tag,
            actions: [
                OfferedAction(id: "OPEN", title: "Open"),
                OfferedAction(id: "IGNORE", title: "Ignore", destructive: true),
            ])
    }

    @Test("A notification arrives with all that the server can show")
    @LoopActor func shows() async throws {
        let bench = Bench(try NotificationRig("mock", "body", "body-markup", "actions", "sound"))
        let message = PushMessage(
            message: "a <b>bold</b> & \"plain\"\nline", title: "1 < 2", subtitle: "sub",
            urgency: .critical, timeout: 2.5, progress: .percent(40), opens: "/lovelace/0",
            actions: [OfferedAction(id: "default", title: "Yes", destructive: true)])
        try await bench.show(message, image: "/tmp/a.png")
        let calls = try bench.rig("calls")
        #expect(
            calls == #"[["GetCapabilities"], ["Notify", "Home Assistant", 0, "1 < 2", "#
                + #""sub\na &lt;b&gt;bold&lt;/b&gt; &amp; \"plain\"\nline", "#
                + #"["default", "", "0", "\u26a0 Yes"], {"desktop-entry": "homing", "#
                + #""image-path": "/tmp/a.png", "sound-name": "message-new-instant", "#
                + #""urgency": 2, "value": 40}, 2500, 1]]"#)
    }

    @Test("A server that reads no markup gets none escaped; one without a body gets one line")
    @LoopActor func poorServers() async throws {
        var bench = Bench(try NotificationRig("mock", "body"))
        try await bench.show(PushMessage(message: "a < b", title: "T"))
        #expect(try bench.rig("calls").contains(#""T", "a < b", [], "#))
        bench = Bench(try NotificationRig("mock"))
        try await bench.show(door())
        #expect(
            try bench.rig("calls").contains(#""Front door: Somebody is at the door", "", [], "#))
    }

    @Test("A tag replaces what is shown, and a clear takes it away")
    @LoopActor func tags() async throws {
        let bench = Bench(try NotificationRig("mock", "body", "sound"))
        let first = PushMessage(message: "one", tag: "t")
        let second = PushMessage(message: "two", tag: "t", isAlertedOnce: true)
        try await bench.show(first)
        try await bench.show(second)
        #expect(try await bench.next() == .gone(first))
        bench.notifier.clear(tag: "t")
        #expect(try await bench.next() == .gone(second))
        bench.notifier.clear(tag: "t")
        bench.notifier.clear(tag: "unknown")
        try await bench.show(PushMessage(message: "three", tag: "t"))
        let calls = try bench.rig("calls")
        #expect(calls.contains(#"["Notify", "Home Assistant", 1, "Home Assistant", "two""#))
        #expect(calls.contains(#""suppress-sound": 1"#))
        #expect(calls.contains(#"["Notify", "Home Assistant", 0, "Home Assistant", "three""#))
        #expect(calls.split(separator: "CloseNotification").count == 2)
    }

    @Test("Two at once with one tag leave one")
    @LoopActor func tagsAtOnce() async throws {
        let bench = Bench(try NotificationRig("mock", "body"))
        let messages = (0..<10).map { number in PushMessage(message: "\(number)", tag: "t") }
        for message in messages { bench.notifier.show(message, image: nil) }
        for (index, message) in messages.enumerated() {
            #expect(try await bench.next() == .shown(message))
            if index > 0 { #expect(try await bench.next() == .gone(messages[index - 1])) }
        }
    }

    @Test("An answer is told once, however often and in whatever order the server says it")
    @LoopActor func answers() async throws {
        let bench = Bench(try NotificationRig("mock", "body", "actions"))
        try await bench.show(door())
        for _ in 0..<3 {
            try bench.rig("emit ActivationToken 1 token")
            try bench.rig("emit ActionInvoked 1 1")
            try bench.rig("emit NotificationClosed 1 2")
        }
        #expect(try await bench.next() == .chosen(button: 1, reply: nil, door()))
        try await bench.show(door())
        try bench.rig("emit NotificationClosed 2 2")
        try bench.rig("emit ActionInvoked 2 0")
        #expect(try await bench.next() == .chosen(button: 0, reply: nil, door()))
        #expect(await bench.isQuiet())
    }

    private func remote() -> PushMessage {
        PushMessage(
            message: "Radio", tag: "remote", isSticky: true, opens: "/media-browser",
            actions: [
                OfferedAction(id: "UP", title: "Louder"),
                OfferedAction(id: "DOWN", title: "Softer"),
            ])
    }

    @Test("A sticky one takes answer after answer, each once, until it is put away")
    @LoopActor func sticky() async throws {
        let bench = Bench(try NotificationRig("mock", "body", "actions", "persistence"))
        try await bench.show(remote())
        #expect(try bench.rig("calls").contains(#""resident": 1"#))
        for key in ["0", "1", "default"] {
            // As swaync does.
            for _ in 0..<3 { try bench.rig("emit ActionInvoked 1 \(key)") }
        }
        #expect(try await bench.next() == .chosen(button: 0, reply: nil, remote()))
        #expect(try await bench.next() == .chosen(button: 1, reply: nil, remote()))
        #expect(try await bench.next() == .clicked(remote()))
        #expect(await bench.isQuiet())
        try bench.rig("emit ActionInvoked 1 0")
        #expect(try await bench.next() == .chosen(button: 0, reply: nil, remote()))
        #expect(await bench.isQuiet())
        try bench.rig("emit NotificationClosed 1 2")
        #expect(try await bench.next() == .dismissed(remote()))
        try bench.rig("emit ActionInvoked 1 0")
        #expect(await bench.isQuiet())
    }

    @Test("A server that closes a sticky one for an answer was not asked to by a person")
    @LoopActor func stickyClosed() async throws {
        let bench = Bench(try NotificationRig("mock", "body", "actions"))
        try await bench.show(remote())
        try bench.rig("emit ActionInvoked 1 0")
        for _ in 0..<3 { try bench.rig("emit NotificationClosed 1 2") }
        #expect(try await bench.next() == .chosen(button: 0, reply: nil, remote()))
        #expect(try await bench.next() == .gone(remote()))
        try await bench.show(remote())
        try bench.rig("emit NotificationClosed 2 2")
        for _ in 0..<3 { try bench.rig("emit ActionInvoked 2 1") }
        #expect(try await bench.next() == .chosen(button: 1, reply: nil, remote()))
        #expect(try await bench.next() == .gone(remote()))
        #expect(await bench.isQuiet())
    }

    @Test("A sticky one that was answered is replaced and taken away like any other")
    @LoopActor func stickyTags() async throws {
        let bench = Bench(try NotificationRig("mock", "body", "actions"))
        try await bench.show(remote())
        try bench.rig("emit ActionInvoked 1 0")
        #expect(try await bench.next() == .chosen(button: 0, reply: nil, remote()))
        try await bench.show(remote())
        #expect(try await bench.next() == .gone(remote()))
        #expect(try bench.rig("calls").contains(#"["Notify", "Home Assistant", 1, "#))
        bench.notifier.clear(tag: "remote")
        #expect(try await bench.next() == .gone(remote()))
    }

    @Test("A click, a dismissal and an expiry have names of their own")
    @LoopActor func closings() async throws {
        let bench = Bench(try NotificationRig("mock", "body", "actions"))
        let clickable = PushMessage(message: "see", opens: "https://example.org")
        try await bench.show(clickable)
        try bench.rig("emit ActionInvoked 1 default")
        #expect(try await bench.next() == .clicked(clickable))
        try await bench.show(door())
        try bench.rig("emit NotificationClosed 2 2")
        #expect(try await bench.next() == .dismissed(door()))
        try await bench.show(door())
        try bench.rig("emit NotificationClosed 3 1")
        #expect(try await bench.next() == .gone(door()))
    }

    @Test("Signals that mean nothing do nothing")
    @LoopActor func strangeSignals() async throws {
        let bench = Bench(try NotificationRig("mock", "body", "actions", "inline-reply"))
        try await bench.show(door())
        for signal in [
            "ActionInvoked 99 0", "ActionInvoked 1 2", "ActionInvoked 1 -1", "ActionInvoked 1 OPEN",
            "ActionInvoked 1 inline-reply", "NotificationReplied 1 text", "NotificationClosed 99 2",
        ] {
            try bench.rig("emit \(signal)")
        }
        #expect(await bench.isQuiet())
    }

    @Test("A text is asked for by a server that can, and not by one that cannot")
    @LoopActor func replies() async throws {
        let asking = PushMessage(
            message: "Answer?",
            actions: [
                OfferedAction(id: "NO", title: "No"),
                OfferedAction(
                    id: "REPLY", title: "Answer", asksForText: true, textButton: "Send",
                    textPlaceholder: "Say something"),
            ])
        var bench = Bench(try NotificationRig("mock", "body", "actions", "inline-reply"))
        try await bench.show(asking)
        let calls = try bench.rig("calls")
        #expect(calls.contains(#"["0", "No", "inline-reply", "Answer"]"#))
        #expect(calls.contains(#""x-kde-reply-placeholder-text": "Say something""#))
        #expect(calls.contains(#""x-kde-reply-submit-button-text": "Send""#))
        try bench.rig("emit ActionInvoked 1 inline-reply")
        try bench.rig("emit NotificationReplied 1 on my way")
        #expect(
            try await bench.next() == .chosen(button: 1, reply: "on my way", asking))
        bench = Bench(try NotificationRig("mock", "body", "actions"))
        try await bench.show(asking)
        #expect(try bench.rig("calls").contains(#"["0", "No", "1", "Answer"]"#))
        try bench.rig("emit ActionInvoked 1 1")
        #expect(try await bench.next() == .chosen(button: 1, reply: nil, asking))
    }

    @Test("A server that is absent fails, and one that comes later is used")
    @LoopActor func absent() async throws {
        let bench = Bench(try NotificationRig("mock", "body"))
        try bench.rig("stop")
        bench.notifier.show(door(), image: nil)
        guard case .failed(door(), _) = try await bench.next() else {
            Issue.record("it did not fail: \(bench.events)")
            return
        }
        try bench.rig("start")
        try await bench.show(door())
    }

    @Test("A server that restarts is asked anew, and no old id is used")
    @LoopActor func restarts() async throws {
        let bench = Bench(try NotificationRig("mock", "body"))
        try await bench.show(door("t"))
        try bench.rig("stop")
        #expect(try await bench.next() == .gone(door("t")))
        try bench.rig("start")
        try await bench.show(door("t"))
        let calls = try bench.rig("calls")
        #expect(calls.split(separator: "GetCapabilities").count == 3)
        #expect(!calls.contains(#""Notify", "Home Assistant", 1"#))
    }

    @Test("Without a bus it fails and says so; so does a server that refuses")
    @LoopActor func failures() async throws {
        var events: [NotifierEvent] = []
        let lost = LocalDesktop(
            address: "unix:path=/nowhere/bus", runner: CommandRunner(), clock: SystemClock()
        ) { events.append($0) }
        lost.show(door(), image: nil)
        while events.isEmpty { await Watch.pause(0.01) }
        guard case .failed(door(), _) = events[0] else {
            Issue.record("\(events)")
            return
        }
        let bench = Bench(try NotificationRig("mock", "body"))
        let refused = PushMessage(message: "x", title: "refuse this")
        bench.notifier.show(refused, image: nil)
        guard case .failed(refused, _) = try await bench.next() else {
            Issue.record("\(bench.events)")
            return
        }
        try await bench.show(door())
    }

    @Test("What waits for a slow server is bounded")
    @LoopActor func bounded() async throws {
        let bench = Bench(try NotificationRig("mock", "body"))
        for _ in 0..<1000 { bench.notifier.show(door(), image: nil) }
        let failed = bench.events.filter { if case .failed = $0 { true } else { false } }
        #expect(failed.count > 900)
        while bench.events.count < 1000 { await Watch.pause(0.01) }
    }

    @Test("Real servers show, replace, answer, expire and clear", arguments: ["dunst", "mate"])
    @LoopActor func realServers(kind: String) async throws {
        let bench = Bench(try NotificationRig(kind))
        try await bench.show(door("t"))
        let second = PushMessage(
            message: "Replaced", tag: "t", actions: [OfferedAction(id: "YES", title: "Yes")])
        try await bench.show(second)
        #expect(try await bench.next() == .gone(door("t")))
        if kind == "dunst" {
            try bench.rig("press 0")
            #expect(try await bench.next() == .chosen(button: 0, reply: nil, second))
        } else {
            bench.notifier.clear(tag: "t")
            #expect(try await bench.next() == .gone(second))
        }
        let brief = PushMessage(message: "brief", timeout: 0.5)
        try await bench.show(brief)
        #expect(try await bench.next() == .gone(brief))
        let cleared = PushMessage(message: "cleared", tag: "c")
        try await bench.show(cleared)
        bench.notifier.clear(tag: "c")
        #expect(try await bench.next() == .gone(cleared))
    }
}
