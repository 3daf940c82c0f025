import HomingMachine
import HomingNotifications
import Testing

@Suite("Whose desktop shows notifications") struct DesktopChoiceTests {
    private func session(
        _ user: UInt32, isActive: Bool = true, isLocal: Bool = true, isLocked: Bool = false
    ) -> UserSession {
        UserSession(
            user: "u\(user)", isLocal: isLocal, isGraphical: true, isActive: isActive,
            isLocked: isLocked, userID: user)
    }

    @Test("The one in front is chosen, whoever else has a helper, and follows the switch")
    func active() {
        var choice = DesktopChoice()
        let both = [session(1, isActive: false), session(2)]
        #expect(choice.choose(among: [1, 2], both) == .user(2))
        let switched = [session(1), session(2, isActive: false)]
        #expect(choice.choose(among: [1, 2], switched) == .user(1))
        #expect(
            choice.choose(among: [1], both)
                == .nobody(
                    "no session helper (package homing-desktop) runs in the session in front"),
            "what is meant for who is in front is not shown to who is behind")
    }

    @Test("While a greeter is in front, which is how some desktops lock, the last one keeps it")
    func greeter() {
        var choice = DesktopChoice()
        let before = [session(1), session(2, isActive: false)]
        #expect(choice.choose(among: [1, 2], before) == .user(1))
        let behind = [session(1, isActive: false), session(2, isActive: false)]
        #expect(choice.choose(among: [1, 2], behind) == .user(1))
        var fresh = DesktopChoice()
        #expect(fresh.choose(among: [1], [session(1, isActive: false)]) == .user(1))
        #expect(fresh.choose(among: [2], [session(1, isActive: false)]) != .user(2))
        var unsure = DesktopChoice()
        guard case .nobody = unsure.choose(among: [1, 2], behind) else {
            Issue.record("of two that nobody has seen in front, one was guessed")
            return
        }
    }

    @Test("Who came over the network is at no machine of ours, however active")
    func remote() {
        var choice = DesktopChoice()
        let far = [session(1, isLocal: false)]
        #expect(
            choice.choose(among: [1], far) == .nobody("no desktop session on this machine"))
        #expect(!DesktopChoice.admits(1, far) && !DesktopChoice.admits(1, nil))
        #expect(DesktopChoice.admits(1, [session(1, isActive: false)]))
        #expect(!DesktopChoice.isInFront(1, [session(1, isActive: false), session(2)]))
        #expect(DesktopChoice.isInFront(1, [session(1)]) && !DesktopChoice.isInFront(1, far))
        #expect(
            choice.choose(among: [1], nil)
                == .nobody("logind does not say who is at this machine"))
    }

    @Test("Of two seats the one that was chosen stays")
    func seats() {
        var choice = DesktopChoice()
        #expect(choice.choose(among: [2], [session(1), session(2)]) == .user(2))
        #expect(choice.choose(among: [1, 2], [session(1), session(2)]) == .user(2))
    }

    @Test("A session is locked that says so, of which nothing is known, or that is not in front")
    func locks() {
        let locked = { (sessions: [UserSession]?, inFront: Bool) in
            UserSession.isLocked(sessions, of: 1, inFront: inFront)
        }
        #expect(locked(nil, false) && locked([], false) && locked([session(2)], false))
        #expect(!locked([session(1)], true))
        #expect(locked([session(1), session(1, isLocked: true)], true))
        #expect(!locked([session(1, isActive: false)], false))
        #expect(locked([session(1, isActive: false)], true))
        #expect(locked([session(1, isLocal: false)], true))
    }
}
