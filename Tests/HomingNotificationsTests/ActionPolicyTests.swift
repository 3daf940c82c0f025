import HomeAssistantAPI
import HomingNotifications
import Testing

/// Actions that are offered, and answers that are acted upon.
@Suite struct ActionPolicyTests {
    private func message(_ actions: [OfferedAction]) -> PushMessage {
        PushMessage(message: "", actions: actions)
    }

    @Test("Good actions are taken as they are")
    func good() {
        let (actions, problems) = ActionPolicy.examine([
            OfferedAction(id: "OPEN_DOOR", title: "Open", authenticationRequired: true),
            OfferedAction(id: "REPLY", title: "Answer", asksForText: true, textPlaceholder: "Say"),
            OfferedAction(id: "URI", title: "See", uri: "/lovelace/door"),
            OfferedAction(id: "HOME", title: "Home", opensHomeAssistant: true),
        ])
        #expect(problems == [])
        #expect(actions.map(\.id) == ["OPEN_DOOR", "REPLY", "URI", "HOME"])
        #expect(actions.map(\.fires) == [true, true, false, true])
        #expect(actions[1].text?.placeholder == "Say")
        #expect(actions[2].opens == .homeAssistant(path: "/lovelace/door"))
        #expect(actions[3].opens == .homeAssistant(path: "/"))
    }

    @Test("Bad actions are left out and named by their place, the others stay")
    func bad() {
        let (actions, problems) = ActionPolicy.examine([
            OfferedAction(id: nil, title: "No id"),
            OfferedAction(id: "a\u{0}b", title: "NUL"),
            OfferedAction(id: "GOOD", title: ""),
            OfferedAction(id: "GOOD", title: "Again"),
            OfferedAction(id: "URI", title: "Nothing to open"),
            OfferedAction(id: "X", title: "File", uri: "file:///etc/passwd"),
            OfferedAction(id: "URI", title: "Web", uri: "https://example.org"),
            OfferedAction(id: "URI", title: "Web", uri: "https://example.com"),
        ])
        #expect(actions.map(\.title) == ["GOOD", "File", "Web", "Web"])
        #expect(actions[1].opens == nil && actions[1].fires)
        #expect(
            problems == [
                "action 1 has no usable id", "action 2 has no usable id",
                "action 4 repeats an id", "action 5 opens nothing",
                "action 6 leads to what is neither a web page nor Home Assistant's",
            ])
    }

    @Test("Of many actions eight are kept")
    func many() {
        let offered = (0..<1000).map { OfferedAction(id: "A\($0)", title: "\($0)") }
        let (actions, problems) = ActionPolicy.examine(offered)
        #expect(actions.count == 8)
        #expect(problems == ["more than 8 actions: the rest is left out"])
    }

    @Test("An answer that was not offered is refused, and so is text that was not asked for")
    func foreignAnswers() {
        let message = message([OfferedAction(id: "YES", title: "Yes")])
        let foreign = ActionPolicy.judge(1, on: message, isLocked: false)
        #expect(foreign == .refuse("the notification does not have this action"))
        let text = ActionPolicy.judge(0, reply: "x", on: message, isLocked: false)
        #expect(text == .refuse("the action does not take a text"))
        #expect(
            ActionPolicy.judge(0, on: message, isLocked: true)
                == .perform(message.actions[0], reply: nil))
    }

    @Test("Of two actions that only open something, each opens its own")
    func links() {
        let message = message(
            ["https://a.example/", "https://b.example/"].map {
                OfferedAction(id: "URI", title: $0, uri: $0)
            })
        #expect(message.actions.count == 2)
        for (place, action) in message.actions.enumerated() {
            let verdict = ActionPolicy.judge(place, on: message, isLocked: false)
            #expect(verdict == .perform(action, reply: nil))
        }
        #expect(message.actions[0].opens != message.actions[1].opens)
    }

    @Test("What wants authentication is held while the session is locked")
    func held() {
        let message = message([
            OfferedAction(id: "UNLOCK", title: "Unlock", authenticationRequired: true)
        ])
        let action = message.actions[0]
        #expect(
            ActionPolicy.judge(0, on: message, isLocked: true) == .hold(action, reply: nil))
        #expect(
            ActionPolicy.judge(0, on: message, isLocked: false)
                == .perform(action, reply: nil))
    }

    @Test("A reply is bounded and cleaned")
    func reply() {
        let message = message([OfferedAction(id: "REPLY", title: "Reply", asksForText: true)])
        let long = "\u{1b}" + String(repeating: "x", count: 1 << 20)
        guard
            case .perform(_, let reply?) = ActionPolicy.judge(
                0, reply: long, on: message, isLocked: false)
        else {
            Issue.record("the reply was not taken")
            return
        }
        #expect(reply.utf8.count == 4096)
        #expect(reply.hasPrefix("xxx") && reply.hasSuffix("…"))
    }
}
