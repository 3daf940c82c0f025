internal import HomingBase

/// Texts about the daemons of a machine, for people.
extension MachineDaemons {
    /// The warnings before a registration, one for each daemon that would lose the device.
    public var warningsOfRegistration: [RegistrationWarning] {
        othersRunning.map { other in
            RegistrationWarning(
                text: "\(other.name) runs, and a machine has one daemon",
                choice: choice(beside: other),
                hint: hint(beside: other), end: stopping(other))
        }
            + othersStopped.map { other in
                RegistrationWarning(
                    text: "\(other.name) is registered, and a machine has one daemon",
                    choice: choice(beside: other), hint: nil, end: nil)
            }
    }

    /// A warning before a registration beside another daemon.
    public struct RegistrationWarning: Equatable, Sendable {
        /// Sentence without its full stop.
        public let text: String
        /// Consequences of each answer of a person, and what else to type.
        public let choice: String
        /// Advice to keep one daemon; `nil` if the other daemon does not run.
        public let hint: String?
        /// Advice for who registered nevertheless; `nil` if the other daemon does not run.
        public let end: String?
    }

    private func choice(beside other: Daemon) -> String {
        let mine = own.user == nil ? "the system's daemon" : "your own daemon"
        let end = other.isRunning ? "After y, also \(stopping(other)). " : ""
        let ways = keeping(other).map { " Then \($0)." }.joined()
        return
            "With y, the command goes on, for \(mine). If both report to one Home Assistant as one device, "
            + "\(other.name) loses the device. \(end)With n, nothing is registered. "
            + "If you want \(other.name), answer n.\(ways)"
    }

    /// Advice to keep one daemon.
    func hint(beside other: Daemon) -> String {
        guard own.isRunning else {
            return other.user.map { Warnable.usersDaemon.hint.replacingEach("that user", with: $0) }
                ?? "type the command with sudo"
        }
        let mine = own.user == nil ? "the system's daemon" : "your own daemon"
        return "if you want \(mine), \(stopping(other)). "
            + "Then \(typing("homing setup", for: own)). If you want \(other.name), \(stopping(own)). "
            + "Then \(typing("homing setup", for: other))"
    }

    /// Advice about the user's own daemon that does not start.
    public var hintOfKeptDaemon: String? {
        isOwnKeptFromStarting
            ? "Your own daemon is registered, and does not start while the system's service is enabled. "
                + "If you want your own daemon: sudo systemctl disable --now homing. "
                + "Then type without sudo: \"homing setup\""
            : nil
    }

    /// Advice for a user who may not register the system's daemon, or whose own daemon does not start beside
    /// the system's.
    ///
    /// - Parameter isSystemsRegistered: whether the system's daemon has a registration; `nil` if nobody looked.
    public static func hintToRegister(isSystemsRegistered: Bool?) -> String {
        let first =
            switch isSystemsRegistered {
            case true?: "sudo homing unregister. Then: "
            case false?: ""
            case nil: "sudo homing unregister, if the machine is registered. Then: "
            }
        return "type the command with sudo. If you want a daemon of your own, first type: "
            + "\(first)sudo systemctl disable --now homing. Then give the same command again"
    }

    /// Advice how to reach a daemon, where no daemon answers.
    public var startHint: String {
        let kept = hintOfKeptDaemon.map { ". \($0)" } ?? ""
        if let other = othersRunning.first {
            return "\(other.name) runs: \(hint(beside: other))\(kept)"
        }
        if !kept.isEmpty { return "start the system's daemon: sudo systemctl start homing\(kept)" }
        if let other = othersStopped.first, let user = other.user {
            let ways = keeping(other).joined(separator: ". Then ")
            return
                "\(other.name) is registered, and does not run. If you want that daemon, \(ways). "
                + "If you want the system's daemon, first type as \(user): \"homing unregister\". "
                + "Then: homing setup"
        }
        if own.user == nil {
            // A service that is not enabled would be gone after the next start of the machine.
            let start = isSystemsEnabled ? "start" : "enable --now"
            return own.isRegistered
                ? "start the daemon: sudo systemctl \(start) homing" : "run: homing setup"
        }
        if own.isRegistered {
            return "start your own daemon: systemctl --user enable --now homing"
        }
        return isSystemsEnabled
            ? "start the system's daemon: sudo systemctl start homing. On a new machine run: sudo homing setup"
            : "run: sudo homing setup. For a daemon of your own: homing setup"
    }

    // MARK: Commands

    /// Advice to type a command; with the name of the user if somebody else types the command. Quotes keep
    /// `sudo` and `--home` away from a command of another user.
    private func typing(_ command: String, for daemon: Daemon) -> String {
        if own.user == nil, let user = daemon.user { return "type as \(user): \"\(command)\"" }
        return own.user != nil && daemon.user == nil
            ? "type: sudo \(command)" : "type: \(command)"
    }

    /// The command that stops the daemon for good.
    private func stopping(_ daemon: Daemon) -> String {
        guard daemon.user != nil else { return "type: sudo systemctl disable --now homing" }
        return typing("systemctl --user disable --now homing", for: daemon)
    }

    /// The commands after which that daemon alone runs. A registration of the own daemon may have taken the
    /// device, and setup takes the device back.
    private func keeping(_ daemon: Daemon) -> [String] {
        let setup = typing("homing setup", for: daemon)
        guard daemon.user != nil else { return [stopping(own), setup] }
        let start = typing("systemctl --user enable --now homing", for: daemon)
        return (own.isRunning || isSystemsEnabled ? [stopping(own)] : [])
            + (own.isRegistered ? [setup] : daemon.isRunning ? [] : [start])
    }
}
