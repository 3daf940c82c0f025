internal import HomingConfiguration
internal import HomingNotifications
internal import HomingRuntime

/// Carries out what notifications order, where the configuration permits it.
@LoopActor final class PushOrders {
    /// What can be done to the machine; each tells why not, if it cannot.
    struct Machine {
        var requestLocation: @LoopActor () -> Void = {}
        var updateSensors: @LoopActor () -> Void = {}
        var lock: @LoopActor (@escaping @LoopActor (String?) -> Void) -> Void = { _ in }
        var suspend: @LoopActor (@escaping @LoopActor (String?) -> Void) -> Void = { _ in }
    }

    private let desk: NotificationDesk
    private var permissions: Set<String>
    private var commands: [String: Configuration.Command]
    var machine = Machine()

    init(desk: NotificationDesk, configuration: Configuration) {
        self.desk = desk
        permissions = Set(configuration.push.commands)
        commands = configuration.commands
    }

    func apply(_ configuration: Configuration) {
        permissions = Set(configuration.push.commands)
        commands = configuration.commands
    }

    func carryOut(_ command: PushCommand) {
        let name = command.title
        guard command.isPermitted(by: permissions, names: Set(commands.keys)) else {
            return Log.notice(
                "Home Assistant orders \(name), which is not done: \(refusal(command))")
        }
        if case .clear(let tag) = command { return desk.clear(tag: tag) }
        Log.notice("Home Assistant orders \(name)")
        let ended: @LoopActor (String?) -> Void = { problem in
            if let problem { Log.warning("\(name) failed: \(problem)") }
        }
        switch command {
        case .requestLocation: machine.requestLocation()
        case .updateSensors: machine.updateSensors()
        case .lockScreen: machine.lock(ended)
        case .suspend: machine.suspend(ended)
        case .run(let program):
            guard let configured = commands[program] else { return }
            desk.runner.run(Command(configured)) { outcome in
                if outcome != .exited(0) { Log.warning("\(name) \(outcome.text)") }
            }
        case .clear, .unsupported: break
        }
    }

    private func refusal(_ command: PushCommand) -> String {
        if let word = command.permission, !permissions.contains(word) {
            return "[push] commands does not list it"
        }
        if case .run = command { return "there is no [command.NAME] of that name" }
        return "Homing does not know it, or it lacks what it needs"
    }
}

extension Command {
    init(_ command: Configuration.Command) {
        self.init(command.argv, timeout: command.timeout)
    }
}

extension PushCommand {
    /// The order as its author wrote it.
    fileprivate var title: String {
        switch self {
        case .run(let name): "command_run of \(name)"
        case .unsupported(let word): word
        case .clear: "clear_notification"
        default: permission ?? ""
        }
    }
}

extension CommandOutcome {
    /// What became of it, to follow its name.
    var text: String {
        switch self {
        case .exited(let status): "ended with status \(status)"
        case .killed(let signal): "was ended by signal \(signal)"
        case .timedOut: "took longer than its timeout and was ended"
        case .failed(let reason): "could not be started: \(reason)"
        }
    }
}
