internal import HomeAssistantAPI
internal import HomingConfiguration
internal import HomingControl
internal import HomingCore
internal import HomingRuntime

/// `homing send-location`.
extension ControlHandler {
    /// Seconds `send_location` may take to be proved delivered.
    private static let patience: Seconds = 25

    func sendLocation(_ params: ControlCommand.SendLocation, _ client: ControlClientRequest) {
        guard agent.registration != nil else { return client.refuse(.notRegistered) }
        guard params.zone != nil || agent.configuration.gpsd.enabled else {
            return client.refuse(
                ControlError(
                    .temporary, "there is no position: gpsd is switched off",
                    hint: "set [gpsd] enabled = true, or report a zone with --zone"))
        }
        let pipeline = agent.pipeline
        let waiter = RowWaiter(patience: Self.patience, clock: agent.clock) {
            client.answer(Self.result($0, obstacle: pipeline.obstacle))
        }
        if let zone = params.zone {
            guard LocationUpdate.isZoneName(zone) else { return client.refuse(.noZone) }
            agent.pipeline.reportZone(zone, waiter: waiter)
        } else {
            agent.pipeline.reportPosition(waiter: waiter)
        }
    }

    /// What `homing send-location` is told.
    private static func result(
        _ ending: RowWaiter.Ending, obstacle: Warnable?
    ) -> Result<SendLocationResult, ControlError> {
        switch ending {
        case .queued: .success(SendLocationResult(queuedFor: obstacle))
        case .noRow: .success(SendLocationResult(.noPosition))
        case .settled(let fate): result(fate)
        }
    }

    private static func result(_ fate: Fate) -> Result<SendLocationResult, ControlError> {
        switch fate {
        case .deliveredLive, .deliveredTrack: .success(SendLocationResult(.delivered))
        case .rejected: .success(SendLocationResult(.rejected))
        case .superseded, .expired, .evicted, .lostWithDatabase: .failure(.dropped(fate))
        }
    }
}

extension SendLocationResult {
    /// In the outbox, since this keeps it from getting home.
    fileprivate init(queuedFor obstacle: Warnable?) {
        self.init(.queued)
        reason = obstacle?.text
        hint = obstacle?.hint
    }
}

extension ControlError {
    fileprivate static let noZone = ControlError(
        .usage, "a zone's name has 1 to 255 characters, and is not unknown or unavailable")

    /// The row left the outbox unsent.
    static func dropped(_ fate: Fate) -> ControlError {
        func error(_ code: ExitCode, _ reason: String) -> ControlError {
            ControlError(code, "it was not sent: \(reason)", hint: "see: homing status")
        }
        return switch fate {
        case .superseded: error(.temporary, "a newer position took its place")
        case .expired: error(.temporary, "it waited longer than it may, or than [outbox] queue_ttl")
        case .evicted: error(.failure, "the full outbox pushed it out")
        case .rejected: ControlError(.refused, .rejected)
        case .deliveredLive, .deliveredTrack, .lostWithDatabase:
            error(.failure, "its row in the outbox was damaged")
        }
    }
}
