/// Daemons of a machine, as one command sees them. A machine is one device in Home Assistant, so a machine has
/// one daemon.
public struct MachineDaemons: Equatable, Sendable {
    /// A daemon of the system or of a user.
    public struct Daemon: Equatable, Sendable {
        /// Name of the user; `nil` for the system's daemon.
        public var user: String?
        public var isRunning: Bool
        /// Whether the daemon has a registration; `false` also if nobody looked.
        public var isRegistered: Bool

        public init(of user: String? = nil, isRunning: Bool = false, isRegistered: Bool = false) {
            self.user = user
            self.isRunning = isRunning
            self.isRegistered = isRegistered
        }

        /// Name of the daemon in a sentence.
        var name: String { user.map { "the daemon of the user \($0)" } ?? "the system's daemon" }
    }

    /// The daemon of the user who gave the command: the system's for root.
    public var own: Daemon
    /// The other daemons: for root the daemons of users, for a user the system's daemon.
    public var others: [Daemon]
    /// Whether the system's service starts with the machine. Then no user's own service starts.
    public var isSystemsEnabled: Bool
    /// Whether the commands of a user reach the system's daemon, as the user has no socket.
    public var reachesSystem: Bool

    public init(
        own: Daemon = Daemon(), others: [Daemon] = [], isSystemsEnabled: Bool = false,
        reachesSystem: Bool = false
    ) {
        self.own = own
        self.others = others
        self.isSystemsEnabled = isSystemsEnabled
        self.reachesSystem = reachesSystem
    }

    /// The other daemons that run, and want the device of the own daemon.
    public var othersRunning: [Daemon] { reachesSystem ? [] : others.filter(\.isRunning) }

    /// The daemons of users that are registered and stopped, while the system's daemon has no registration.
    public var othersStopped: [Daemon] {
        own.user != nil || own.isRegistered
            ? [] : others.filter { !$0.isRunning && $0.isRegistered }
    }

    /// Whether the user's own daemon does not start, because the system's service is enabled.
    public var isOwnKeptFromStarting: Bool {
        own.user != nil && own.isRegistered && !own.isRunning && isSystemsEnabled
    }
}
