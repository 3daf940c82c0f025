internal import HomingControl
internal import HomingHealth
internal import HomingNotifications
internal import HomingRuntime

/// Answers the control socket: who may ask what, and which part of the agent answers. The answers
/// are in a file for each family of commands.
@LoopActor final class ControlHandler {
    unowned let agent: Agent
    private var watchers: [ObjectIdentifier: (connection: ControlConnection, id: Int)] = [:]
    var conversation = Conversation()

    init(agent: Agent) { self.agent = agent }

    /// One request of one client.
    func handle(_ request: ReceivedRequest, _ connection: ControlConnection) {
        guard mayAsk(request.method, connection) else {
            let hint = "run it as root, as the daemon's user, or as a member of group homing"
            let what = request.method.rawValue.replacing("_", with: " ")
            let message = "\"\(what)\" is not for every user"
            return connection.refuse(
                request.id, ControlError(.notPermitted, message, hint: hint))
        }
        do throws(ControlError) {
            let command = try request.command()
            answer(command, ControlClientRequest(id: request.id, connection: connection))
        } catch {
            connection.refuse(request.id, error)
        }
    }

    private func mayAsk(_ method: ControlMethod, _ connection: ControlConnection) -> Bool {
        connection.isTrusted || method.isForEveryone
            || (method.isForWhoIsInFront
                && DesktopChoice.isInFront(connection.user, agent.push.desk.helpers.sessions))
    }

    private func answer(_ command: ControlCommand, _ client: ControlClientRequest) {
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
        case .attendDesktop(let params): agent.push.desk.helpers.attend(params, client)
        case .reportDesktop(let params): agent.push.desk.helpers.report(params, client)
        }
    }

    private func status(for connection: ControlConnection) -> StatusReport {
        let report = agent.status()
        return connection.isTrusted ? report : report.forStrangers()
    }

    private func watch(_ client: ControlClientRequest) {
        let key = ObjectIdentifier(client.connection)
        watchers[key] = (client.connection, client.id)
        client.connection.atEnd { [weak self] in
            self?.watchers[key] = nil
        }
        client.connection.stream(client.id, status(for: client.connection))
    }

    /// Whether anybody watches the status.
    var isWatched: Bool { !watchers.isEmpty }

    /// Something changed: tells the watchers.
    func changed() {
        for (connection, id) in Array(watchers.values) {
            connection.stream(id, status(for: connection))
        }
    }
}

/// A request that waits for its answer.
@LoopActor struct ControlClientRequest {
    let id: Int
    let connection: ControlConnection

    func reply(_ value: some Codable & Sendable) { connection.reply(id, value) }

    func refuse(_ error: ControlError) { connection.refuse(id, error) }

    func answer(_ result: Result<some Codable & Sendable, ControlError>) {
        switch result {
        case .success(let value): reply(value)
        case .failure(let error): refuse(error)
        }
    }

    /// Answers when the work is done; others are served meanwhile.
    func answerLater<Value: Codable & Sendable>(
        _ work: @escaping @LoopActor () async -> Result<Value, ControlError>
    ) {
        spawn { answer(await work()) }
    }
}

extension ControlError {
    static let notRegistered = ControlError(.notRegistered, .notRegistered)
}
