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

    @Test("A registration beside a daemon that runs names that daemon")
    func warnings() {
        for daemons in [Self.both, Self.usersAlone] {
            #expect(
                daemons.warningOfRegistration
                    == "the daemon of the user skipper runs, and a machine has one daemon")
        }
        #expect(
            Self.usersView.warningOfRegistration
                == "the system's daemon runs, and a machine has one daemon")
        #expect(
            Self.usersStopped.warningOfRegistration
                == "the daemon of the user skipper is registered, and a machine has one daemon")
    }

    @Test("Each answer to the warning has its consequence and its commands")
    func choices() {
        let loss =
            "With y, you go on to register the system's daemon. If both report to one Home Assistant as one "
            + "device, the daemon of the user skipper loses the device. "
        let keep =
            "With n, nothing is registered. If you want the daemon of the user skipper, answer n."
        let stop = "After y, also type as skipper: \"systemctl --user disable --now homing\". "
        let stopSystem = " Then type: sudo systemctl disable --now homing."
        let start = " Then type as skipper: \"systemctl --user start homing\"."
        #expect(Self.both.choiceOfRegistration == loss + stop + keep + stopSystem)
        #expect(Self.usersAlone.choiceOfRegistration == loss + stop + keep)
        #expect(Self.usersStopped.choiceOfRegistration == loss + keep + start)
        var enabled = Self.usersStopped
        enabled.isSystemsEnabled = true
        #expect(enabled.choiceOfRegistration == loss + keep + stopSystem + start)
        #expect(
            Self.usersView.choiceOfRegistration
                == "With y, you go on to register your own daemon. If both report to one Home Assistant as one "
                + "device, the system's daemon loses the device. After y, also type: sudo systemctl disable --now "
                + "homing. With n, nothing is registered. If you want the system's daemon, answer n. Then type: "
                + "systemctl --user disable --now homing.")
        let unregistered = MachineDaemons(others: [.init(of: "skipper", isRunning: true)])
        #expect(
            unregistered.choiceOfRegistration?.contains("loses") == false, "nothing can be lost")
    }

    @Test("A stopped daemon of a user counts only if the system's daemon has no registration")
    func stopped() {
        var daemons = Self.usersStopped
        #expect(daemons.otherRunning == nil && daemons.findingOfOtherRunning == nil)
        daemons.own.isRegistered = true
        #expect(daemons.warningOfRegistration == nil && daemons.choiceOfRegistration == nil)
        #expect(daemons.startHint == "start the daemon: sudo systemctl start homing")
    }

    @Test("A daemon alone has no other daemon beside it")
    func alone() {
        for daemons in [
            MachineDaemons(own: .init(isRunning: true, isRegistered: true)),
            MachineDaemons(others: [.init(of: "skipper")]), Self.user(isRunning: true),
            Self.user(isRegistered: true), Self.user(system: true, reachesSystem: true),
        ] {
            #expect(daemons.otherRunning == nil && daemons.findingOfOtherRunning == nil)
            #expect(daemons.warningOfRegistration == nil && daemons.hintOfOtherRunning == nil)
            #expect(daemons.choiceOfRegistration == nil)
        }
    }

    @Test("Two daemons are a finding for each of the two users, with the commands for that user")
    func findings() {
        let root = Self.both.findingOfOtherRunning
        #expect(root?.problem == .twoDaemons && root?.privacies == [.init(.user, "skipper")])
        #expect(root?.detail == "the daemon of the user skipper runs too")
        #expect(
            root?.hint
                == "if you want the system's daemon, type as skipper: \"systemctl --user disable --now homing\". "
                + "Then type: sudo homing register --again. If you want the daemon of the user skipper, "
                + "type: sudo systemctl disable --now homing. Then type as skipper: \"homing register --again\""
        )
        var unregistered = Self.both
        unregistered.own.isRegistered = false
        #expect(unregistered.hintOfOtherRunning?.contains("Then type: sudo homing setup.") == true)
        let user = Self.usersView.findingOfOtherRunning
        #expect(user?.problem == .twoDaemons && user?.detail == "the system's daemon runs too")
        #expect(
            user?.hint
                == "if you want your own daemon, type: sudo systemctl disable --now homing. Then type: homing "
                + "register --again. If you want the system's daemon, type: systemctl --user disable --now "
                + "homing. Then type: sudo homing register --again")
        #expect(user?.privacies.isEmpty == true)
        let alone = Self.usersAlone.findingWithoutAnswer
        #expect(alone.problem == .usersDaemon && alone.privacies == [.init(.user, "skipper")])
        #expect(alone.hint?.contains("first type as skipper: \"homing unregister\"") == true)
        let stopped = Self.usersStopped.findingWithoutAnswer
        #expect(
            stopped.problem == .daemonNotRunning && stopped.privacies == [.init(.user, "skipper")])
    }

    @Test("Where no daemon answers, the hint starts the daemon that is meant")
    func start() {
        var enabled = Self.usersStopped
        enabled.isSystemsEnabled = true
        let stopped =
            "the daemon of the user skipper is registered, and does not run. If you want that daemon, type"
        let hints: [(MachineDaemons, String)] = [
            (Self.usersAlone, "the daemon of the user skipper runs: if you want this daemon"),
            (Self.usersStopped, "\(stopped) as skipper: \"systemctl --user start homing\". If you"),
            (
                enabled,
                "\(stopped): sudo systemctl disable --now homing. Then type as skipper: \"systemctl"
            ),
            (
                MachineDaemons(own: .init(isRegistered: true)),
                "start the daemon: sudo systemctl start homing"
            ),
            (MachineDaemons(), "run: homing setup"),
            (Self.user(isRegistered: true), "start your own daemon: systemctl --user start homing"),
            (Self.user(), Warnable.daemonNotRunning.hint),
            (
                Self.user(isRegistered: true, enabled: true),
                "start the system's daemon: sudo systemctl start homing. Your own daemon is registered, and "
                    + "does not start while"
            ),
            // A killed daemon leaves its socket, by which commands look for the daemon.
            (
                Self.user(isRegistered: true, system: true, enabled: true),
                "the system's daemon runs: type the command with sudo"
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
                let examination = Examination([
                    daemons.findingWithoutAnswer, .wrong(.key, problem, "unknown"),
                ])
                #expect(examination.causes.map(\.check) == [.daemon], "\(problem.code)")
            }
        }
    }
}
