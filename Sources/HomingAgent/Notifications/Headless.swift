internal import HomingConfiguration
internal import HomingHealth
internal import HomingJSON
internal import HomingNotifications
internal import HomingRuntime

/// Tells of notifications that no desktop shows: in the journal, by the hook, to the terminals.
@LoopActor final class Headless {
    private unowned let machine: Machine
    private let runner: CommandRunner
    private let journal: JournalNotifier
    private let terminals = TerminalNotifier()
    private let hook: @LoopActor (PushMessage) -> Command?
    private var tellsTerminals = false
    /// Reason why the terminals of others cannot be told.
    private var obstacle: String?

    /// - Parameters:
    ///   - hook: the command that the home of a notification has for notifications.
    ///   - deliver: gets what the journal has.
    init(
        machine: Machine, runner: CommandRunner,
        hook: @escaping @LoopActor (PushMessage) -> Command?,
        deliver: @escaping @LoopActor (NotifierEvent) -> Void
    ) {
        self.machine = machine
        self.runner = runner
        self.hook = hook
        journal = JournalNotifier(deliver: deliver)
    }

    /// - Parameter isOfUser: whether the daemon is a user's own, whose terminals it may write to.
    func apply(_ configuration: Configuration, isOfUser: Bool) {
        tellsTerminals = configuration.push.wall
        obstacle = tellsTerminals && !isOfUser ? TerminalNotifier.obstacle() : nil
        report(nil, ending: .withdrawn)
    }

    func announceMessage(_ message: PushMessage) {
        journal.show(message, image: nil)
        // What somebody at the machine tries out is for them alone.
        guard message.sender != .person else { return }
        if let hook = hook(message) {
            runner.run(hook, input: message.hookInput) { problem in
                if let problem { Log.warning("[push] hook \(problem)") }
            }
        }
        if tellsTerminals {
            terminals.writeToTerminals(message) { [weak self] in self?.report($0) }
        }
    }

    private func report(_ problem: String?, ending: Warnings.Ending = .solved) {
        let reason = problem ?? obstacle
        machine.warn(.terminalsUnreachable, reason != nil, detail: reason, ending: ending)
    }
}

extension PushMessage {
    /// The notification as the hook gets it: one JSON object on its standard input, in one line.
    /// `home` is the home that it is from; `urgency` is `low`, `normal` or `critical`; `age` are the
    /// seconds for which a late one was under way.
    fileprivate var hookInput: [UInt8] {
        let fields: [String: String?] = [
            "message": message, "title": title, "subtitle": subtitle, "tag": sentTag,
            "home": home, "group": group, "urgency": "\(urgency)",
        ]
        var known = fields.compactMapValues { $0.map { JSONValue.string($0) } }
        known["age"] = age.map { .whole(Int($0)) }
        return Array(JSONValue.object(known).json().utf8) + [0x0A]
    }
}
