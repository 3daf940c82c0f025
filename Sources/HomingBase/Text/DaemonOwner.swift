/// Owner of the daemon that a hint is about. The owner decides how the commands of the hint are
/// typed.
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

    /// Commands that a person types with sudo for the system's daemon.
    private static let withSudo = [
        "chmod", "homing", "journalctl", "systemctl daemon-reload", "systemctl reload",
        "systemctl restart",
    ]
    /// Commands of a user's own service manager and journal, and how they are typed.
    private static let withUser = [
        ("journalctl", "journalctl --user"),
        ("systemctl daemon-reload", "systemctl --user daemon-reload"),
        ("systemctl reload", "systemctl --user reload"),
        ("systemctl restart", "systemctl --user restart"),
    ]

    /// Returns a hint as a person types its commands: with sudo, as they are, or with --user. A hint that
    /// was typed stays.
    public func typed(_ hint: String) -> String {
        switch self {
        case .system:
            Self.withSudo.reduce(hint) { text, command in
                text.replacingEach(": \(command) ", with: ": sudo \(command) ")
            }
        case .root: hint
        case .user:
            Self.withUser.reduce(hint) { text, command in
                text.replacingEach(": \(command.0) ", with: ": \(command.1) ")
                    .replacingEach("--user --user", with: "--user")
            }
        }
    }
}
