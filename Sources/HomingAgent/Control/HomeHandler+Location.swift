internal import HomeAssistantAPI
internal import HomingConfiguration
internal import HomingControl
internal import HomingDelivery
internal import HomingHealth
internal import HomingLocation
internal import HomingRuntime

/// `homing send-location`.
extension HomeHandler {
    /// Seconds `send_location` may take to be proved delivered.
    private static let patience: Seconds = 25

    func sendLocation(_ params: ControlCommand.SendLocation, _ client: OpenRequest) {
        guard home.keeper.registration != nil else { return client.refuse(.notRegistered) }
        guard params.zone != nil || home.configuration.gpsd.enabled else {
            return client.refuse(
                ControlError(
                    .temporary, "there is no position: gpsd is switched off",
                    hint: "set [gpsd] enabled = true, or report a zone with --zone"))
        }
        guard let zone = params.zone else {
            return home.positions.requestFix(for: waiter(client))
        }
        guard LocationUpdate.isZoneName(zone) else { return client.refuse(.noZone) }
        let delivery = home.delivery.state
        let known = delivery.zones
        if params.allowsUnknown == true {
            report(zone, client)
        } else if case .known(let name) = ZoneChoice(zone, among: known) {
            report(name, client)
        } else if !known.isEmpty, delivery.trouble != nil {
            report(zone, among: known, client)
        } else {
            askForZones(zone, known, client)
        }
    }

    /// The zone may be a new one: Home Assistant is asked.
    private func askForZones(
        _ zone: String, _ known: [HomingLocation.Zone], _ client: OpenRequest
    ) {
        spawn {
            let answer = try? await home.ask(.getZones)
            if let zones = answer.flatMap({ ReplyReader.zones($0.content) }) {
                self.report(zone, among: zones, client)
            } else if known.isEmpty {
                self.report(zone, isUnchecked: true, client)
            } else {
                self.report(zone, among: known, client)
            }
        }
    }

    private func report(
        _ zone: String, among zones: [HomingLocation.Zone], _ client: OpenRequest
    ) {
        switch ZoneChoice(zone, among: zones) {
        case .known(let name): report(name, client)
        case .unknown(let hint):
            client.refuse(
                ControlError(.usage, "Home Assistant has no zone \"\(zone)\"", hint: hint))
        }
    }

    private func report(
        _ zone: String, isUnchecked: Bool = false, _ client: OpenRequest
    ) {
        home.positions.reportZone(zone, for: waiter(client, isUnchecked: isUnchecked))
    }

    private func waiter(
        _ client: OpenRequest, isUnchecked: Bool = false
    ) -> RowWaiter {
        let delivery = home.delivery
        return RowWaiter(patience: Self.patience, clock: agent.clock) { ending in
            let result = Self.result(ending, obstacle: delivery.state.obstacle)
            client.answer(
                result.map { told in
                    var told = told
                    told.isUnchecked = isUnchecked ? true : nil
                    return told
                })
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
