internal import HomeAssistantAPI
internal import HomingControl
internal import HomingHealth
internal import HomingNotifications
internal import HomingRuntime

/// Answers the control socket: what is about the whole machine here, what is about one home by a
/// `HomeHandler`.
@LoopActor final class ControlHandler {
    unowned let agent: Agent
    private var watchers: [ObjectIdentifier: (client: OpenRequest, home: String?)] = [:]

    init(agent: Agent) { self.agent = agent }

    /// Whether a user who is not trusted may ask what is not for everyone.
    func mayAsk(_ method: ControlMethod, _ user: UInt32) -> Bool {
        method.isForWhoIsInFront
            && DesktopChoice.isInFront(user, agent.desk.desktops.helpers.sessions)
    }

    func answer(_ request: ControlRequest, _ client: OpenRequest) {
        switch request.command {
        case .status:
            client.answer { () throws(ControlError) in try status(of: request.home, for: client) }
        case .watchStatus: watch(request.home, client)
        case .homes:
            client.answer { () throws(ControlError) in
                try mustKnow(request.home)
                return agent.homes.listing()
            }
        case .register(let params) where agent.homes.isNew(request.home):
            register(params, request.home ?? "", client)
        case .notifications:
            client.answer { () throws(ControlError) in
                try mustKnow(request.home)
                let homes = agent.homes.all.map { ($0.identity, $0.name) }
                return NotificationsReport(
                    agent.desk.history,
                    names: Dictionary(homes, uniquingKeysWith: { first, _ in first }),
                    home: request.home)
            }
        case .readTrack(let since, let until, let cursor):
            client.answer { () throws(ControlError) in
                try mustKnow(request.home)
                return try agent.track.page(from: since, to: until, after: cursor)
            }
        case .reload:
            client.answer { () throws(ControlError) in
                try mustKnow(request.home)
                return agent.reloadFiles()
            }
        case .attendDesktop(let params): agent.desk.desktops.helpers.attend(params, client)
        case .reportDesktop(let params): agent.desk.desktops.helpers.report(params, client)
        default:
            if case .removeHome = request.command, let name = request.home,
                agent.homes.failure(of: name) != nil
            {
                return client.answer { () throws(ControlError) in try removeFailed(name) }
            }
            do throws(ControlError) {
                let home = try home(meantBy: request)
                HomeHandler(agent: agent, home: home).answer(request.command, client)
            } catch { client.refuse(error) }
        }
    }

    /// Refuses a request about the whole machine that names an unknown home.
    private func mustKnow(_ home: String?) throws(ControlError) {
        if let home, agent.homes.isNew(home) {
            throw .unknownHome(home, known: agent.homes.names)
        }
    }

    /// The home that a request means. A notification of a relay that names no home is for the home
    /// whose registration the notification names; another home says that it is not the receiver.
    private func home(meantBy request: ControlRequest) throws(ControlError) -> Home {
        let homes = agent.homes
        guard request.home == nil, case .receiveNotification(let body) = request.command else {
            return try homes.meant(by: request.home)
        }
        let sender = RelayedPost(Array(body.utf8)).sender ?? ""
        let named = homes.all.first { $0.state.registration?.webhookID == sender }
        // The last home may be one that cannot be opened, and so perhaps the receiver.
        return try homes.meant(by: named?.name ?? homes.names.last)
    }

    /// Registers with a Home Assistant that this machine does not report to yet. The only home, as
    /// long as it has no registration, becomes the new home. Without a registration no home is left
    /// behind.
    private func register(
        _ params: ControlCommand.Register, _ name: String, _ client: OpenRequest
    ) {
        if let error = agent.homes.refusal(ofNew: name)
            ?? agent.homes.refusal(of: params, for: name)
        {
            return client.refuse(error)
        }
        let agent = agent
        client.answerLater { () async throws(ControlError) -> RegisterResult in
            let homes = agent.homes
            // Another request may have made the home meanwhile.
            if let error = homes.refusal(ofNew: name) { throw error }
            // With the files and the credentials of its name from the first request on.
            let former = homes.blank?.name
            if let blank = homes.blank { try homes.rename(blank, to: name) }
            if former == nil { try homes.add(name) }
            guard let home = homes[name] else { throw .registering }
            do throws(ControlError) {
                return try await home.registerByHand(
                    params.recordingNetwork(unasked: former != nil))
            } catch {
                if home.state.registration == nil, homes[name] === home {
                    // What went wrong before is what a person has to know.
                    if let former { try? homes.rename(home, to: former) }
                    if former == nil { try? homes.remove(home) }
                }
                throw error
            }
        }
    }

    private func removeFailed(_ name: String) throws(ControlError) -> UnregisterResult {
        try agent.homes.filesMustSuit(without: name)
        try agent.homes.removeFailed(name)
        Log.notice("the home \(name) was removed")
        return UnregisterResult(.left, reason: "the home cannot be opened")
    }

    /// The status of the home of that name, or of all homes. Throws if there is no such home.
    private func status(
        of home: String?, for client: OpenRequest
    ) throws(ControlError) -> StatusReport {
        if let home { _ = try agent.homes.meant(by: home) }
        var report = agent.status()
        report.homes.removeAll { ![nil, $0.name].contains(home) }
        return client.connection.isTrusted ? report : report.forStrangers()
    }

    private func watch(_ home: String?, _ client: OpenRequest) {
        let key = ObjectIdentifier(client.connection)
        watchers[key] = (client, home)
        client.connection.atEnd { [weak self] in
            self?.watchers[key] = nil
        }
        updateWatcher(client, home)
    }

    private func updateWatcher(_ client: OpenRequest, _ home: String?) {
        do throws(ControlError) { client.stream(try status(of: home, for: client)) } catch {
            watchers[ObjectIdentifier(client.connection)] = nil
            client.refuse(error)
        }
    }

    /// Whether anybody watches the status.
    var isWatched: Bool { !watchers.isEmpty }

    /// Something changed: tells the watchers.
    func changed() {
        for (client, home) in Array(watchers.values) { updateWatcher(client, home) }
    }
}

extension ControlError {
    static let notRegistered = ControlError(.notRegistered, .notRegistered)
}
