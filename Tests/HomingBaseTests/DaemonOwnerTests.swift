import HomingBase
import Testing

struct DaemonOwnerTests {
    @Test(
        "For the system's daemon each command of a hint has sudo, for a user's own daemon --user",
        arguments: [
            ("run: homing setup", "run: sudo homing setup", "run: homing setup"),
            (
                "reload: systemctl reload homing. Close: chmod 600 FILE",
                "reload: sudo systemctl reload homing. Close: sudo chmod 600 FILE",
                "reload: systemctl --user reload homing. Close: chmod 600 FILE"
            ),
            (
                "restart it: systemctl restart homing", "restart it: sudo systemctl restart homing",
                "restart it: systemctl --user restart homing"
            ),
            (
                "see: journalctl -u homing", "see: sudo journalctl -u homing",
                "see: journalctl --user -u homing"
            ), ("", "", ""),
        ])
    func typed(hint: String, system: String, user: String) {
        #expect(DaemonOwner.system.typed(hint) == system)
        #expect(DaemonOwner.user.typed(hint) == user)
        #expect(DaemonOwner.root.typed(hint) == hint)
        #expect(DaemonOwner.system.typed(system) == system && DaemonOwner.user.typed(user) == user)
    }

    @Test("Users below 1000 run the system's daemon, root and people their own")
    func owners() {
        #expect(
            [0, 1, 999, 1000].map { DaemonOwner(runningAs: $0) } == [
                .root, .system, .system, .user,
            ])
    }
}
