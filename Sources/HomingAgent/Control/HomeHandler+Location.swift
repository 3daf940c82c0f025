internal import HomeAssistantAPI
internal import HomingConfiguration
internal import HomingControl
internal import HomingDelivery
internal import HomingHealth
internal import HomingLocation
internal import HomingMachine
internal import HomingRuntime

/// `homing send-location`.
extension HomeHandler {
    /// Seconds `send_location` may take to be proved delivered.
    private static let patience: Seconds = 25

    func sendLocation(_ zone: String?, allowUnknown: Bool, _ client: OpenRequest) {
        guard home.state.registration != nil else { return client.refuse(.notRegistered) }
        guard home.configuration.location.tell != .never else {
            return client.refuse(
                ControlError(
                    .refused, "locations are not reported: [location] tell = never",
                    hint: "set [location] tell = exact or tell = zone"))
        }
        guard zone != nil || hasSource else {
            return client.refuse(
                ControlError(
                    .temporary,
                    "there is no location: gpsd and GeoClue are off, and no network is a known place",
                    hint:
                        "set [gpsd] or [geoclue] enabled = true, or report a zone with --zone"))
        }
        guard let zone else {
            return home.sendFix(for: waiter(client))
        }
        guard LocationUpdate.isZoneName(zone) else { return client.refuse(.noZone) }
        spawn {
            do throws(ControlError) {
                let checked =
                    allowUnknown ? zone : try await self.checkedName(of: zone)
                home.sendZone(
                    checked ?? zone, for: waiter(client, isUnchecked: checked == nil))
            } catch { client.refuse(error) }
        }
    }

    /// Whether any source may know where the machine is.
    private var hasSource: Bool {
        let configuration = home.configuration
        if configuration.gpsd.enabled || configuration.geoclue.enabled { return true }
        return home.state.place.verdict != .unknown
    }

    /// The zone's name in Home Assistant, which is asked if the zone may be a new one; `nil` where
    /// there is nothing to check the zone by.
    private func checkedName(of zone: String) async throws(ControlError) -> String? {
        let delivery = home.state.delivery
        var zones = delivery.zones
        if case .known(let name) = ZoneChoice(zone, among: zones) { return name }
        if zones.isEmpty || delivery.trouble == nil {
            let told = (try? await home.sendDirectCommand(.getZones)).flatMap {
                ReplyReader.zones($0.content)
            }
            if told == nil, zones.isEmpty { return nil }
            zones = told ?? zones
        }
        switch ZoneChoice(zone, among: zones) {
        case .known(let name): return name
        case .unknown(let hint):
            throw ControlError(
                .usage, "Home Assistant has no zone \"\(zone)\"",
                hint: "\(hint). --unknown-zone reports the name unchecked")
        }
    }

    private func waiter(
        _ client: OpenRequest, isUnchecked: Bool = false
    ) -> RowWaiter {
        RowWaiter(patience: Self.patience, clock: agent.clock) { [home] ending in
            let result = Self.result(ending, obstacle: home.state.delivery.obstacle)
            client.answer(
                result.map { told in
                    var told = told
                    told.isUnchecked = isUnchecked ? true : nil
                    return told
                })
        }
    }

    /// Returns the result for `homing send-location`.
    private static func result(
        _ ending: RowWaiter.Ending, obstacle: Warnable?
    ) -> Result<SendLocationResult, ControlError> {
        switch ending {
        case .queued: .success(SendLocationResult(queuedFor: obstacle))
        case .noRow: .success(SendLocationResult(.noPosition))
        case .settled(.deliveredLive), .settled(.deliveredTrack):
            .success(SendLocationResult(.delivered))
        case .settled(.rejected): .success(SendLocationResult(.rejected))
        case .settled(let fate): .failure(.dropped(fate))
        }
    }
}

extension SendLocationResult {
    /// Makes the answer that the location is in the queue, because this obstacle keeps the
    /// location there.
    fileprivate init(queuedFor obstacle: Warnable?) {
        self.init(.queued)
        reason = obstacle?.text
        hint = obstacle?.hint
    }
}

extension ControlError {
    fileprivate static let noZone = ControlError(
        .usage, "a zone's name has 1 to 255 characters, and is not unknown or unavailable")

    /// The location left the queue unsent.
    static func dropped(_ fate: Fate) -> ControlError {
        func error(_ code: ExitCode, _ reason: String) -> ControlError {
            ControlError(code, "the location was not sent: \(reason)", hint: "see: homing status")
        }
        return switch fate {
        case .superseded: error(.temporary, "a newer location replaced the location")
        case .expired:
            error(.temporary, "the location waited too long, or longer than [outbox] queue_ttl")
        case .evicted: error(.failure, "the queue was full")
        case .rejected: ControlError(.refused, .rejected)
        case .lostInPowerCut: error(.failure, "lost in a power cut")
        case .deliveredLive, .deliveredTrack, .lostWithDatabase:
            error(.failure, "lost with a damaged queue")
        }
    }
}
