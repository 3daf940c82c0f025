internal import HomingBase

/// Whose daemon a hint is about, which decides how its commands are typed.
public enum DaemonOwner: Sendable {
    /// The system's daemon, for a person who needs sudo.
    case system
    /// The daemon that root typed by hand, for root.
    case root
    /// A user's own daemon, whose service and journal are the user's.
    case user

    /// The owner of a daemon that runs as a user: users of the system have numbers below 1000.
    public init(runningAs user: UInt32) {
        self = user == 0 ? .root : user < 1000 ? .system : .user
    }

    /// Returns a hint as a person types its commands: with sudo, as they are, or with --user.
    public func typed(_ hint: String) -> String {
        switch self {
        case .system:
            ["chmod", "homing", "journalctl", "systemctl reload", "systemctl restart"].reduce(hint)
            {
                text, command in
                text.replacingEach(": \(command) ", with: ": sudo \(command) ")
            }
        case .root: hint
        case .user:
            ["journalctl", "systemctl reload", "systemctl restart"].reduce(hint) { text, command in
                let words = command.split(separator: " ")
                let typed = ([words[0], "--user"] + words.dropFirst()).joined(separator: " ")
                return text.replacingEach(": \(command) ", with: ": \(typed) ")
            }
        }
    }
}
