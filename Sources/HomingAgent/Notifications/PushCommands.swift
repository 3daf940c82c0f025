internal import HomingBus
internal import HomingConfiguration
internal import HomingControl
internal import HomingNotifications
internal import HomingPush
internal import HomingRuntime

/// Execution of commands in notifications, if the configuration of their home permits the command.
@LoopActor final class PushCommands {
    private let desk: NotificationDesk
    private let machine: Machine

    init(_ desk: NotificationDesk, _ machine: Machine) {
        self.desk = desk
        self.machine = machine
    }

    /// Runs a command, if the configuration permits the command.
    ///
    /// - Parameter origin: the carrier of the command. A command by the relay needs permissions of its own, as
    ///   anybody who has the relay's token can send one.
    func runCommand(_ command: PushCommand, of home: Home, from origin: PushOrigin = .direct) {
        let isRelayed = origin != .direct
        let push = home.configuration.push
        let permissions = Set(isRelayed ? push.relayCommands : push.commands)
        let commands = home.configuration.commands
        let name = command.title
        guard command.isPermitted(by: permissions, names: Set(commands.keys)) else {
            if isRelayed { home.noteRefusedRelayCommand() }
            let key = isRelayed ? "relay_commands" : "commands"
            return home.log.notice(
                "command \(name) \(isRelayed ? "by the relay" : "from Home Assistant") refused: "
                    + refusal(command, permissions, key))
        }
        if case .clear(let tag) = command {
            return desk.clear(tag: PushMessage.tag(tag, of: home.identity))
        }
        home.log.notice("command from Home Assistant: \(name)")
        let ended: @LoopActor (String?) -> Void = { problem in
            if let problem { home.log.warning("\(name) failed: \(problem)") }
        }
        switch command {
        case .requestLocation: home.sendFix()
        case .updateSensors: home.sendSensors()
        case .lockScreen: performDeed(.lock, ended)
        case .suspend: performDeed(.suspend, ended)
        case .run(let program):
            guard let configured = commands[program] else { return }
            desk.runner.run(configured) { problem in
                if let problem { home.log.warning("\(name) \(problem)") }
            }
        case .clear, .unsupported: break
        }
    }

    /// The person in front may lock their session and put the machine to sleep; a service of the
    /// system needs a rule of polkit's for it.
    ///
    /// - Parameter completion: gets the reason if it is not done, or not known to be.
    private func performDeed(
        _ deed: SessionDeed, _ completion: @escaping @LoopActor (String?) -> Void
    ) {
        guard case .success(let desktop) = desk.desktops.helpers.chosen() else {
            return performOurselves(deed, completion)
        }
        desktop.requestDeed(deed) { [weak self] problem in
            // To suspend a second time, after the first one's night, would be worse than to fail.
            guard let self, let problem, deed == .lock else { return completion(problem) }
            self.performOurselves(deed) { obstacle in
                if obstacle == nil { Log.notice("\(problem): the daemon has locked the screen") }
                completion(obstacle.map { "\(problem); \($0)" })
            }
        }
    }

    private func performOurselves(
        _ deed: SessionDeed, _ completion: @escaping @LoopActor (String?) -> Void
    ) {
        switch deed {
        case .lock: machine.logind.lock(completion: completion)
        case .suspend: machine.logind.suspend(completion: completion)
        }
    }

    private func refusal(
        _ command: PushCommand, _ permissions: Set<String>, _ key: String
    ) -> String {
        if let word = command.permission, !permissions.contains(word) {
            return "[push] \(key) does not list \(word)"
        }
        if case .run(let program) = command { return "[command.\(program)] does not exist" }
        return "Homing does not know the command, or the command lacks a field"
    }
}

extension PushCommand {
    /// The command as its author wrote the command.
    fileprivate var title: String {
        switch self {
        case .run(let name): "command_run of \(name)"
        case .unsupported(let word): word
        case .clear: "clear_notification"
        default: permission ?? ""
        }
    }
}
