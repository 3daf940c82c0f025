internal import HomingControl
internal import HomingHealth
internal import HomingNotifications
internal import HomingRuntime
internal import HomingSocket

/// Answers the control socket: which part of the agent does. The answers are in a file for each
/// family of commands.
///
/// Long: it has a method for each command, and no state of its own but who watches.
@LoopActor final class ControlHandler {
    unowned let agent: Agent
    private var watchers: [ObjectIdentifier: OpenRequest] = [:]
    let conversation = Conversation()

    init(agent: Agent) { self.agent = agent }

    /// Whether a user who is not trusted may ask what is not for everyone.
    func mayAsk(_ method: ControlMethod, _ user: UInt32) -> Bool {
        method.isForWhoIsInFront
            && DesktopChoice.isInFront(user, agent.desk.desktops.helpers.sessions)
    }

    func answer(_ command: ControlCommand, _ client: OpenRequest) {
        switch command {
        case .status: client.reply(status(for: client.connection))
        case .watchStatus: watch(client)
        case .sendLocation(let params): sendLocation(params, client)
        case .register(let params): register(params, client)
        case .unregister: unregister(client)
        case .registration: client.answer(registration())
        case .updateRegistration(let params): updateRegistration(params, client)
        case .enableEncryption(let params): enableEncryption(params, client)
        case .sendEvent(let params): sendEvent(params, client)
        case .callService(let params): callService(params, client)
        case .renderTemplate(let params): renderTemplate(params, client)
        case .zones: zones(client)
        case .homeAssistantConfiguration: homeAssistantConfiguration(client)
        case .scanTag(let params): scanTag(params, client)
        case .say(let params): say(params, client)
        case .camera(let params): camera(params, client)
        case .readTrack(let params): client.answer(readTrack(params))
        case .examine: examine(client)
        case .notify(let params): notify(params, client)
        case .receiveNotification(let params): receiveNotification(params, client)
        case .refreshNotifications: refreshNotifications(client)
        case .attendDesktop(let params): agent.desk.desktops.helpers.attend(params, client)
        case .reportDesktop(let params): agent.desk.desktops.helpers.report(params, client)
        }
    }

    private func status(for connection: LineConnection) -> StatusReport {
        let report = agent.status()
        return connection.isTrusted ? report : report.forStrangers()
    }

    private func watch(_ client: OpenRequest) {
        let key = ObjectIdentifier(client.connection)
        watchers[key] = client
        client.connection.atEnd { [weak self] in
            self?.watchers[key] = nil
        }
        client.stream(status(for: client.connection))
    }

    /// Whether anybody watches the status.
    var isWatched: Bool { !watchers.isEmpty }

    /// Something changed: tells the watchers.
    func changed() {
        for client in Array(watchers.values) { client.stream(status(for: client.connection)) }
    }
}

extension ControlError {
    static let notRegistered = ControlError(.notRegistered, .notRegistered)
}
