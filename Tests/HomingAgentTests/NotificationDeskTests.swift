import Glibc
import HomingControl
import HomingNotifications
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomeAssistantAPI
@testable import HomingAgent

/// Parts of a notification and of its answer that survive the end of a daemon.
@Suite(.serialized) struct NotificationDeskTests {
    private static let answered = "mobile_app_notification_action"

    init() { LoopThread.start() }

    // MARK: Pictures

    @LoopActor private func pictured(_ rig: DeskRig, tag: String? = nil) -> PushMessage {
        PushMessage(
            message: "", title: "Door", tag: tag, image: "\(rig.server.url)/never.png")
    }

    @Test("What waits for its picture is shown without it before the daemon ends")
    @LoopActor func leaving() throws {
        let rig = try DeskRig()
        defer { rig.shutdown() }
        rig.desk.show(pictured(rig))
        #expect(rig.desk.state.shown == 0)
        var isDone = false
        rig.desk.hurry { isDone = true }
        #expect(isDone && rig.desk.state.shown == 1)
        rig.restart()
        rig.clock.pass(61)
        #expect(rig.desk.state.shown == 0, "it was shown by the one before")
    }

    @Test("What waited for its picture when the daemon was killed is shown by the next one, once")
    @LoopActor func killed() throws {
        let rig = try DeskRig()
        defer { rig.shutdown() }
        rig.desk.show(pictured(rig))
        rig.restart()
        rig.clock.pass(59)
        #expect(rig.desk.state.shown == 0, "a helper may come back")
        rig.clock.pass(2)
        #expect(rig.desk.state.shown == 1)
        rig.restart()
        rig.clock.pass(61)
        #expect(rig.desk.state.shown == 0)
    }

    @Test("What was replaced or cleared while it waited for its picture is not shown any more")
    @LoopActor func replaced() throws {
        let rig = try DeskRig()
        defer { rig.shutdown() }
        rig.desk.show(pictured(rig, tag: "a"))
        rig.desk.show(PushMessage(message: "", title: "Door", tag: "a"))
        rig.desk.show(pictured(rig, tag: "b"))
        rig.desk.clear(tag: "b")
        #expect(rig.desk.state.shown == 1)
        rig.restart()
        rig.clock.pass(61)
        #expect(rig.desk.state.shown == 0)
    }

    @Test("Home Assistant is told that one arrived before its picture is there")
    @LoopActor func receipt() throws {
        let rig = try DeskRig()
        defer { rig.shutdown() }
        rig.desk.show(
            PushMessage(
                message: "", title: "Door", image: "\(rig.server.url)/never.png",
                wantsReceipt: true))
        #expect(rig.desk.state.shown == 0 && rig.fired() == ["mobile_app_notification_received"])
        var isDone = false
        rig.desk.hurry { isDone = true }
        #expect(isDone && rig.desk.state.shown == 1)
        #expect(rig.fired() == ["mobile_app_notification_received"], "once")
    }

    @Test("The last of a flood are shown before the daemon ends")
    @LoopActor func leavingFlood() throws {
        let rig = try DeskRig()
        defer { rig.shutdown() }
        for number in 0..<40 {
            rig.desk.show(
                PushMessage(message: "\(number)", title: "Door", urgency: .critical))
        }
        #expect(rig.desk.state.shown == 20)
        var isDone = false
        rig.desk.hurry { isDone = true }
        #expect(isDone && rig.desk.state.shown == 40)
    }

    @Test("A flood of one home folds nothing of another home")
    @LoopActor func floodOfOne() throws {
        let rig = try DeskRig()
        defer { rig.shutdown() }
        func show(_ text: String, from home: String) {
            rig.desk.show(
                PushMessage(message: text, title: "Door")
                    .from(home: home, id: home, isOneOfSeveral: true))
        }
        for number in 0..<40 { show("\(number)", from: "van") }
        #expect(rig.desk.state.shown == 5 && rig.desk.state.folded == 35)
        show("open", from: "cabin")
        #expect(rig.desk.state.shown == 6 && rig.desk.state.folded == 35)
        rig.clock.pass(3)
        #expect(rig.desk.state.shown == 7, "the summary of the van, once")
    }

    // MARK: Who waits for what becomes of one

    @Test("Whoever had one shown is answered at each of its ends")
    @LoopActor func answered() throws {
        let rig = try DeskRig()
        defer { rig.shutdown() }
        var outcomes: [NotifyResult.Outcome] = []
        func show(_ tag: String) -> PushMessage {
            let message = pictured(rig, tag: tag)
            rig.desk.show(message) { outcomes.append($0.outcome) }
            return message
        }
        let ends: [(PushMessage) -> NotifierEvent] = [
            { .shown($0) }, { .chosen(button: 0, reply: nil, $0) }, { .clicked($0) },
            { .dismissed($0) }, { .gone($0) },
        ]
        for (number, end) in ends.enumerated() {
            let message = show("\(number)")
            rig.desk.handleNotifierEvent(end(message), on: rig.desk.desktops.desktop(of: nil))
            rig.desk.handleNotifierEvent(.gone(message), on: rig.desk.desktops.desktop(of: nil))
        }
        #expect(outcomes == [.desktop, .desktop, .desktop, .desktop, .replaced])
    }

    @Test("Whoever had one shown is answered when it is replaced or cleared while it waits")
    @LoopActor func answeredEarly() throws {
        let rig = try DeskRig()
        defer { rig.shutdown() }
        var outcomes: [NotifyResult.Outcome] = []
        rig.desk.show(pictured(rig, tag: "a")) { outcomes.append($0.outcome) }
        rig.desk.show(pictured(rig, tag: "a")) { outcomes.append($0.outcome) }
        #expect(outcomes == [.replaced])
        rig.desk.clear(tag: "a")
        #expect(outcomes == [.replaced, .replaced])
    }

    // MARK: Answers that wait

    @LoopActor private func secured(_ rig: DeskRig, asksForText: Bool = false, sticky: Bool = false)
    {
        let unlock = OfferedAction(
            id: "UNLOCK", title: "Unlock", asksForText: asksForText, authenticationRequired: true)
        rig.leaveShown(
            PushMessage(message: "", title: "Door", isSticky: sticky, actions: [unlock]))
    }

    @Test("An answer that waits for the session outlives the daemon, and is told once")
    @LoopActor func held() throws {
        let rig = try DeskRig()
        defer { rig.shutdown() }
        secured(rig)
        rig.sessions(locked: true)
        rig.press(0)
        var status = stat()
        let isThere = stat(rig.folder.file("held.json"), &status) == 0
        #expect(isThere && status.st_mode & 0o777 == 0o600)
        rig.restart()
        #expect(rig.fired() == [], "nobody says that it is unlocked")
        rig.sessions(locked: true)
        #expect(rig.fired() == [])
        rig.sessions(locked: false)
        #expect(rig.fired() == [Self.answered])
        rig.restart()
        rig.sessions(locked: false)
        #expect(rig.fired() == [Self.answered])
    }

    @Test("A restart gives an answer no more time, and who gave it is told that it expired")
    @LoopActor func expired() throws {
        let rig = try DeskRig()
        defer { rig.shutdown() }
        secured(rig)
        rig.sessions(locked: true)
        rig.press(0)
        rig.clock.pass(200)
        rig.restart()
        rig.sessions(locked: true)
        rig.clock.pass(90)
        #expect(rig.desk.state.shown == 0)
        rig.clock.pass(21)
        #expect(rig.desk.state.shown == 1, "the journal is told")
        rig.sessions(locked: false)
        #expect(rig.fired() == [])
        secured(rig)
        rig.sessions(locked: true)
        rig.press(0)
        rig.desk.shutdown()
        rig.clock.pass(400)
        rig.restart()
        rig.sessions(locked: false)
        #expect(rig.desk.state.shown == 0, "her helper may come back")
        rig.clock.pass(61)
        #expect(rig.desk.state.shown == 1 && rig.fired() == [])
    }

    @Test("An answer to a home that cannot be opened waits until the home is open")
    @LoopActor func away() throws {
        let rig = try DeskRig()
        defer { rig.shutdown() }
        secured(rig)
        rig.sessions(locked: false)
        rig.closeHome(true)
        rig.press(0)
        #expect(rig.desk.answers.waiting.map(\.key) == ["k"] && rig.desk.state.shown == 0)
        rig.sessions(locked: false)
        #expect(rig.fired() == [], "the home is not open yet")
        rig.closeHome(false)
        rig.desk.answers.review()
        #expect(rig.fired() == [Self.answered] && rig.desk.answers.waiting.isEmpty)
    }

    @Test("An answer to a home that cannot be opened expires as that home says")
    @LoopActor func awayTooLong() throws {
        let rig = try DeskRig()
        defer { rig.shutdown() }
        secured(rig)
        rig.sessions(locked: false)
        rig.closeHome(true)
        rig.press(0)
        rig.clock.pass(31)
        rig.closeHome(false)
        rig.desk.answers.review()
        #expect(rig.fired() == [] && rig.desk.answers.waiting.isEmpty)
    }

    @Test("A text that is still to be asked for waits for the helper too")
    @LoopActor func question() throws {
        let rig = try DeskRig()
        defer { rig.shutdown() }
        secured(rig, asksForText: true)
        rig.sessions(locked: true)
        rig.press(0)
        rig.restart()
        rig.sessions(locked: false)
        #expect(rig.fired() == [] && rig.desk.answers.waiting.map(\.key) == ["k"])
        let message = try #require(rig.desk.answers.waiting.first).message
        let anna = try #require(rig.desk.desktops.helpers.desktop(of: DeskRig.anna))
        #expect(anna.place(of: message) == AnswerPlace(user: DeskRig.anna, key: "k"))
    }

    @Test("No more than sixteen answers wait, whoever is asked")
    @LoopActor func bounded() throws {
        let rig = try DeskRig()
        defer { rig.shutdown() }
        secured(rig, sticky: true)
        rig.sessions(locked: true)
        for _ in 0..<20 { rig.press(0) }
        #expect(rig.desk.answers.waiting.count == HeldAnswers.limit)
        rig.restart()
        rig.sessions(locked: false)
        #expect(rig.fired().count == HeldAnswers.limit)
    }

    @Test("An answer fires the category's event also where another daemon had asked for it")
    @LoopActor func category() throws {
        let rig = try DeskRig()
        defer { rig.shutdown() }
        let offered = [OfferedAction(id: "SOUND", title: "Sound")]
        let categories = PushCategory.examine([
            NotificationCategory(id: "alarm", name: nil, actions: offered)
        ]).categories
        let message = PushMessage(message: "", title: "Door", category: "ALARM")
        rig.leaveShown(message.offering(categories.first))
        rig.sessions(locked: false)
        rig.press(0)
        #expect(rig.fired() == [Self.answered, "ios.notification_action_fired"])
    }
}
