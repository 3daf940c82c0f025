internal import HomingBase

/// Texts about the daemons of a machine, for people.
extension MachineDaemons {
    /// Warning before a registration beside another daemon; `nil` where no other daemon loses the device.
    public var warningOfRegistration: String? {
        if let other = otherRunning { return "\(other.name) runs, and a machine has one daemon" }
        return otherStopped.map { "\($0.name) is registered, and a machine has one daemon" }
    }

    /// Consequences of each answer to that warning, and what else to type.
    public var choiceOfRegistration: String? {
        guard let other = otherRunning ?? otherStopped else { return nil }
        let mine = own.user == nil ? "the system's daemon" : "your own daemon"
        let loss =
            other.isRegistered || other.user == nil
            ? "If both report to one Home Assistant as one device, \(other.name) loses the device. "
            : ""
        let end = other.isRunning ? "After y, also \(stopping(other)). " : ""
        let ways = keeping(other).map { " Then \($0)." }.joined()
        return "With y, you go on to register \(mine). \(loss)\(end)"
            + "With n, nothing is registered. If you want \(other.name), answer n.\(ways)"
    }

    /// Advice to keep one daemon; `nil` where no other daemon runs.
    public var hintOfOtherRunning: String? {
        guard let other = otherRunning else { return nil }
        guard own.isRunning else {
            return other.user.map { Warnable.usersDaemon.hint.replacingEach("that user", with: $0) }
                ?? "type the command with sudo"
        }
        let mine = own.user == nil ? "the system's daemon" : "your own daemon"
        return "if you want \(mine), \(stopping(other)). "
            + "Then \(registering(own)). If you want \(other.name), \(stopping(own)). "
            + "Then \(registering(other))"
    }

    /// Advice about the user's own daemon that does not start.
    public var hintOfKeptDaemon: String? {
        isOwnKeptFromStarting
            ? "Your own daemon is registered, and does not start while the system's service is enabled. "
                + "If you want your own daemon: sudo systemctl disable --now homing. "
                + "Then: systemctl --user start homing"
            : nil
    }

    /// Advice how to reach a daemon, where no daemon answers.
    public var startHint: String {
        if let other = otherRunning, let hint = hintOfOtherRunning {
            return "\(other.name) runs: \(hint)"
        }
        if let hintOfKeptDaemon {
            return "start the system's daemon: sudo systemctl start homing. \(hintOfKeptDaemon)"
        }
        if let other = otherStopped, let user = other.user {
            let ways = keeping(other).joined(separator: ". Then ")
            return
                "\(other.name) is registered, and does not run. If you want that daemon, \(ways). "
                + "If you want the system's daemon, first type as \(user): \"homing unregister\". "
                + "Then: homing setup"
        }
        switch (own.user == nil, own.isRegistered) {
        case (true, true): return "start the daemon: sudo systemctl start homing"
        case (true, false): return "run: homing setup"
        case (false, true): return "start your own daemon: systemctl --user start homing"
        case (false, false): return Warnable.daemonNotRunning.hint
        }
    }

    // MARK: Commands

    /// Advice to type a command; with the name of the user if somebody else types the command. Quotes keep
    /// `sudo` away from a command of a user (`DaemonOwner`).
    private func typing(_ command: String, for daemon: Daemon) -> String {
        guard own.user == nil, let user = daemon.user else { return "type: \(command)" }
        return "type as \(user): \"\(command)\""
    }

    /// The command that stops the daemon for good.
    private func stopping(_ daemon: Daemon) -> String {
        let words = "systemctl \(daemon.user == nil ? "" : "--user ")disable --now homing"
        return typing(daemon.user == nil ? "sudo \(words)" : words, for: daemon)
    }

    /// The command that registers the daemon. A user does not know whether the system's daemon has a registration.
    private func registering(_ daemon: Daemon) -> String {
        let isNew = !daemon.isRegistered && daemon.user == own.user
        let words = isNew ? "homing setup" : "homing register --again"
        return typing(daemon.user == nil ? "sudo \(words)" : words, for: daemon)
    }

    /// The commands after which that daemon alone runs.
    private func keeping(_ daemon: Daemon) -> [String] {
        guard daemon.user != nil else { return [stopping(own)] }
        let isInTheWay = own.isRunning || isSystemsEnabled
        let start = typing("systemctl --user start homing", for: daemon)
        return (isInTheWay ? [stopping(own)] : []) + (daemon.isRunning ? [] : [start])
    }
}
