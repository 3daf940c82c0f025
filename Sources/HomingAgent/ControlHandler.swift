internal import HomeAssistantAPI
internal import HomingConfiguration
internal import HomingControl
internal import HomingCore
internal import HomingRuntime

/// Answers the control socket.
@LoopActor final class ControlHandler {
    /// Seconds `send_location` may take to be proved delivered.
    static let patience: Seconds = 25
    private unowned let agent: Agent
    private var watchers: [ObjectIdentifier: (connection: ControlConnection, id: Int)] = [:]

    init(agent: Agent) { self.agent = agent }

    /// One request of one client.
    func handle(_ request: ControlRequest, _ connection: ControlConnection) {
        switch request.command {
        case .status: connection.reply(request.id, status(for: connection))
        case .watchStatus: watch(request.id, connection)
        case .sendLocation, .register, .unregister:
            guard connection.isTrusted else {
                let hint = "run it as root, as the daemon's user, or as a member of group homing"
                let message = "you may not \(request.command.method.replacing("_", with: " "))"
                return connection.refuse(
                    request.id, ControlError(.notPermitted, message, hint: hint))
            }
            change(request, connection)
        }
    }

    private func status(for connection: ControlConnection) -> StatusReport {
        let report = agent.status()
        return connection.isTrusted ? report : report.forStrangers()
    }

    private func change(_ request: ControlRequest, _ connection: ControlConnection) {
        switch request.command {
        case .sendLocation(let params): sendLocation(request.id, params, connection)
        case .register(let params):
            let id = request.id
            let agent = agent
            spawn {
                switch await agent.register(params) {
                case .success(let result):
                    agent.reregistration.registeredByHand()
                    connection.reply(id, result)
                case .failure(let error): connection.refuse(id, error)
                }
            }
        case .unregister:
            switch agent.unregister() {
            case .success: connection.reply(request.id, Done())
            case .failure(let error): connection.refuse(request.id, error)
            }
        case .status, .watchStatus: break
        }
    }

    private func sendLocation(
        _ id: Int, _ params: ControlCommand.SendLocation, _ connection: ControlConnection
    ) {
        guard agent.registration != nil else {
            return connection.refuse(id, .notRegistered)
        }
        guard params.zone != nil || agent.configuration.gpsd.enabled else {
            return connection.refuse(
                id,
                ControlError(
                    .temporary, "there is no position: gpsd is switched off",
                    hint: "set [gpsd] enabled = true, or report a zone with --zone"))
        }
        let waiter = LocationWaiter(patience: Self.patience, clock: agent.clock) { ending in
            switch Self.result(ending) {
            case .success(let result): connection.reply(id, result)
            case .failure(let error): connection.refuse(id, error)
            }
        }
        if let zone = params.zone {
            guard LocationUpdate.isZoneName(zone) else { return connection.refuse(id, .noZone) }
            agent.pipeline.reportZone(zone, waiter: waiter)
        } else {
            agent.pipeline.reportPosition(waiter: waiter)
        }
    }

    /// What `homing send-location` is told.
    private static func result(
        _ ending: LocationWaiter.Ending
    ) -> Result<SendLocationResult, ControlError> {
        switch ending {
        case .queued: .success(SendLocationResult(.queued))
        case .noPosition: .success(SendLocationResult(.noPosition))
        case .settled(let fate): result(fate)
        }
    }

    private static func result(_ fate: Fate) -> Result<SendLocationResult, ControlError> {
        func dropped(_ code: ExitCode, _ reason: String) -> Result<SendLocationResult, ControlError>
        {
            .failure(ControlError(code, "it was not sent: \(reason)", hint: "see: homing status"))
        }
        return switch fate {
        case .deliveredLive, .deliveredTrack: .success(SendLocationResult(.delivered))
        case .rejected: .success(SendLocationResult(.rejected))
        case .superseded: dropped(.temporary, "a newer position took its place")
        case .expired: dropped(.temporary, "it waited longer than [outbox] queue_ttl")
        case .evicted: dropped(.failure, "the full outbox pushed it out")
        case .lostWithDatabase: dropped(.failure, "its row in the outbox was damaged")
        }
    }

    private func watch(_ id: Int, _ connection: ControlConnection) {
        let key = ObjectIdentifier(connection)
        watchers[key] = (connection, id)
        connection.onStreamEnd = { [weak self] in
            self?.watchers[key] = nil
        }
        connection.stream(id, status(for: connection))
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

extension ControlError {
    fileprivate static let noZone = ControlError(
        .usage, "a zone's name has 1 to 255 characters, and is not unknown or unavailable")
    static let notRegistered = ControlError(
        .notRegistered, Warnable.notRegistered.text, hint: Warnable.notRegistered.hint)
}
