internal import HomingControl
internal import HomingHealth
internal import HomingNotifications
internal import HomingRuntime
internal import HomingSocket

/// Answers the control socket: what is about the whole machine here, what is about one home by a
/// `HomeHandler`.
@LoopActor final class ControlHandler {
    unowned let agent: Agent
    private var watchers: [ObjectIdentifier: OpenRequest] = [:]

    init(agent: Agent) { self.agent = agent }

    /// Whether a user who is not trusted may ask what is not for everyone.
    func mayAsk(_ method: ControlMethod, _ user: UInt32) -> Bool {
        method.isForWhoIsInFront
            && DesktopChoice.isInFront(user, agent.desk.desktops.helpers.sessions)
    }

    func answer(_ request: ControlRequest, _ client: OpenRequest) {
        switch request.command {
        case .status: client.reply(status(for: client.connection))
        case .watchStatus: watch(client)
        case .homes: client.reply(agent.homesReport())
        case .register(let params) where agent.isNew(request.home):
            register(params, request.home ?? "", client)
        case .readTrack(let params): client.answer(readTrack(params))
        case .attendDesktop(let params): agent.desk.desktops.helpers.attend(params, client)
        case .reportDesktop(let params): agent.desk.desktops.helpers.report(params, client)
        default:
            switch agent.home(named: request.home) {
            case .success(let home):
                HomeHandler(agent: agent, home: home).answer(request.command, client)
            case .failure(let error): client.refuse(error)
            }
        }
    }

    /// Registers with a Home Assistant that this machine does not report to yet. Without a
    /// registration no home is left behind.
    private func register(
        _ params: ControlCommand.Register, _ name: String, _ client: OpenRequest
    ) {
        if let error = agent.refusal(ofNew: name) { return client.refuse(error) }
        let agent = agent
        client.answerLater { () async -> Result<RegisterResult, ControlError> in
            do throws(StartFailure) {
                let home = try agent.addHome(name)
                let result = await home.registerByHand(params)
                if case .failure = result, home.state.registration == nil {
                    try agent.remove(home)
                }
                return result
            } catch { return .failure(ControlError(.failure, "\(error)")) }
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
