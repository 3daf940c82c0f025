import HomingHealth
import Testing

@Suite struct MachineDaemonsTests {
    private static let both = MachineDaemons(
        own: .init(isRunning: true, isRegistered: true),
        others: [.init(of: "alice"), .init(of: "skipper", isRunning: true, isRegistered: true)])
    private static let usersAlone = MachineDaemons(
        others: [.init(of: "alice"), .init(of: "skipper", isRunning: true, isRegistered: true)])
    private static let usersStopped = MachineDaemons(
        others: [.init(of: "alice"), .init(of: "skipper", isRegistered: true)])
    /// A look by the user skipper, beside the system's daemon.
    private static let usersView = user(isRunning: true, isRegistered: true, system: true)

    private static func user(
        isRunning: Bool = false, isRegistered: Bool = false, system: Bool = false,
        enabled: Bool = false, reachesSystem: Bool = false
    ) -> MachineDaemons {
        MachineDaemons(
            own: .init(of: "skipper", isRunning: isRunning, isRegistered: isRegistered),
            others: [.init(isRunning: system)], isSystemsEnabled: enabled,
            reachesSystem: reachesSystem)
    }

    @Test("A registration beside other daemons names each of them")
    func warnings() {
        for daemons in [Self.both, Self.usersAlone] {
            #expect(
                daemons.warningsOfRegistration.map(\.text)
                    == ["the daemon of the user skipper runs, and a machine has one daemon"])
        }
        #expect(
            Self.usersView.warningsOfRegistration.map(\.text)
                == ["the system's daemon runs, and a machine has one daemon"])
        var stopped = Self.usersStopped
        #expect(
            stopped.warningsOfRegistration.map(\.text)
                == ["the daemon of the user skipper is registered, and a machine has one daemon"])
        #expect(stopped.warningsOfRegistration.first?.hint == nil, "a script goes on")
        #expect(stopped.warningsOfRegistration.first?.end == nil, "nothing is to be stopped")
        #expect(
            Self.both.warningsOfRegistration.first?.end
                == "type as skipper: \"systemctl --user disable --now homing\"")
        stopped.others.append(.init(of: "bob", isRunning: true))
        stopped.others.append(.init(of: "carol", isRunning: true))
        #expect(
            stopped.warningsOfRegistration.map { $0.text.split(separator: " ")[5] }
                == ["bob", "carol", "skipper"])
    }

    @Test("Each answer to the warning has its consequence and its commands")
    func choices() {
        func choice(_ daemons: MachineDaemons) -> String? {
            daemons.warningsOfRegistration.first?.choice
        }
        let loss =
            "With y, the command goes on, for the system's daemon. If both report to one Home Assistant as one "
            + "device, the daemon of the user skipper loses the device. "
        let keep =
            "With n, nothing is registered. If you want the daemon of the user skipper, answer n."
        let stop = "After y, also type as skipper: \"systemctl --user disable --now homing\". "
        let stopSystem = " Then type: sudo systemctl disable --now homing."
        let start = " Then type as skipper: \"systemctl --user enable --now homing\"."
        let setup = " Then type as skipper: \"homing setup\"."
        #expect(choice(Self.both) == loss + stop + keep + stopSystem + setup)
        #expect(choice(Self.usersAlone) == loss + stop + keep)
        #expect(choice(Self.usersStopped) == loss + keep + start)
        var enabled = Self.usersStopped
        enabled.isSystemsEnabled = true
        #expect(choice(enabled) == loss + keep + stopSystem + start)
        #expect(
            choice(Self.usersView)
                == "With y, the command goes on, for your own daemon. If both report to one Home Assistant as one "
                + "device, the system's daemon loses the device. After y, also type: sudo systemctl disable --now "
                + "homing. With n, nothing is registered. If you want the system's daemon, answer n. Then type: "
                + "systemctl --user disable --now homing. Then type: sudo homing setup.")
    }

    @Test("A stopped daemon of a user counts only if the system's daemon has no registration")
    func stopped() {
        var daemons = Self.usersStopped
        #expect(daemons.othersRunning.isEmpty && daemons.findingsOfOthers.isEmpty)
        daemons.own.isRegistered = true
        #expect(daemons.warningsOfRegistration.isEmpty)
        #expect(daemons.startHint == "start the daemon: sudo systemctl enable --now homing")
    }

    @Test("A daemon alone has no other daemon beside it")
    func alone() {
        for daemons in [
            MachineDaemons(own: .init(isRunning: true, isRegistered: true)),
            MachineDaemons(others: [.init(of: "skipper")]), Self.user(isRunning: true),
            Self.user(isRegistered: true), Self.user(system: true, reachesSystem: true),
        ] {
            #expect(daemons.othersRunning.isEmpty && daemons.findingsOfOthers.isEmpty)
            #expect(daemons.warningsOfRegistration.isEmpty)
        }
    }

    @Test("Two daemons are a finding for each of the two users, with the commands for that user")
    func findings() {
        let root = Self.both.findingsOfOthers.first
        #expect(root?.problem == .twoDaemons && root?.privacies == [.init(.user, "skipper")])
        #expect(root?.detail == "the daemon of the user skipper runs too")
        #expect(
            root?.hint
                == "if you want the system's daemon, type as skipper: \"systemctl --user disable --now homing\". "
                + "Then type: homing setup. If you want the daemon of the user skipper, "
                + "type: sudo systemctl disable --now homing. Then type as skipper: \"homing setup\""
        )
        let user = Self.usersView.findingsOfOthers.first
        #expect(user?.problem == .twoDaemons && user?.detail == "the system's daemon runs too")
        #expect(
            user?.hint
                == "if you want your own daemon, type: sudo systemctl disable --now homing. Then type: homing "
                + "setup. If you want the system's daemon, type: systemctl --user disable --now "
                + "homing. Then type: sudo homing setup")
        #expect(user?.privacies.isEmpty == true)
        let alone = Self.usersAlone.findingsWithoutAnswer
        #expect(alone.map(\.problem) == [.usersDaemon])
        #expect(alone.first?.privacies == [.init(.user, "skipper")])
        #expect(alone.first?.hint?.contains("first type as skipper: \"homing unregister\"") == true)
        let stopped = Self.usersStopped.findingsWithoutAnswer
        #expect(stopped.map(\.problem) == [.daemonNotRunning])
        #expect(stopped.first?.privacies == [.init(.user, "skipper")])
        var three = Self.both
        three.others[0].isRunning = true
        #expect(three.findingsOfOthers.map(\.detail).count == 2)
    }

    @Test("Where no daemon answers, the hint starts the daemon that is meant")
    func start() {
        var enabled = Self.usersStopped
        enabled.isSystemsEnabled = true
        let stopped =
            "the daemon of the user skipper is registered, and does not run. If you want that daemon, type"
        let hints: [(MachineDaemons, String)] = [
            (Self.usersAlone, "the daemon of the user skipper runs: if you want this daemon"),
            (
                Self.usersStopped,
                "\(stopped) as skipper: \"systemctl --user enable --now homing\". If"
            ),
            (
                enabled,
                "\(stopped): sudo systemctl disable --now homing. Then type as skipper: \"systemctl"
            ),
            (
                MachineDaemons(own: .init(isRegistered: true)),
                "start the daemon: sudo systemctl enable --now homing"
            ),
            (
                MachineDaemons(own: .init(isRegistered: true), isSystemsEnabled: true),
                "start the daemon: sudo systemctl start homing"
            ),
            (MachineDaemons(), "run: homing setup"),
            (
                Self.user(isRegistered: true),
                "start your own daemon: systemctl --user enable --now homing"
            ),
            (Self.user(), "run: sudo homing setup. For a daemon of your own: homing setup"),
            (
                Self.user(enabled: true),
                "start the system's daemon: sudo systemctl start homing. On"
            ),
            (
                Self.user(isRegistered: true, enabled: true),
                "start the system's daemon: sudo systemctl start homing. Your own daemon is registered, and "
                    + "does not start while"
            ),
            // A killed daemon leaves its socket, by which commands look for the daemon.
            (
                Self.user(isRegistered: true, system: true, enabled: true),
                "the system's daemon runs: type the command with sudo. Your own daemon is registered, and does not"
            ),
        ]
        for (daemons, hint) in hints {
            #expect(daemons.startHint.hasPrefix(hint), "\(daemons.startHint)")
        }
    }

    @Test("A user's own daemon is kept from starting only by the system's enabled service")
    func kept() {
        #expect(Self.user(isRegistered: true, enabled: true).hintOfKeptDaemon != nil)
        for daemons in [
            Self.user(isRegistered: true), Self.user(enabled: true),
            Self.user(isRunning: true, isRegistered: true, enabled: true),
            MachineDaemons(own: .init(isRegistered: true), isSystemsEnabled: true),
        ] { #expect(daemons.hintOfKeptDaemon == nil) }
    }

    @Test("What another daemon did to the registration is no cause of its own")
    func dependants() {
        for problem in [Warnable.notRegistered, .unknownWebhook, .keyRefused, .gone] {
            for daemons in [Self.both, Self.usersAlone] {
                let examination = Examination(
                    daemons.findingsWithoutAnswer + [.wrong(.key, problem, "unknown")])
                #expect(examination.causes.map(\.check) == [.daemon], "\(problem.code)")
            }
        }
    }
}
