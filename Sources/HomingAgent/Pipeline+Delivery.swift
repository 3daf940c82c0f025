internal import HomingBase
internal import HomingDelivery
internal import HomingLocation
internal import HomingMachine
internal import HomingRoutes
internal import HomingRuntime
internal import HomingSQLite

/// Performs what the courier decides.
extension Pipeline {
    /// Events read at one time; positions are bounded by the courier.
    private static let rowsAtOnce = 50

    func perform(_ effect: Courier.Effect) {
        switch effect {
        case .ask(let request, let endpoint): ask(request, endpoint)
        case .cancel: transport?.cancel()
        case .wake(let at): courierTimer.set(at: at)
        case .learned(let facts):
            homeAssistantVersion = facts.version
            onFacts(facts)
        case .learnedZones(let zones): policy.zones = ZoneMap(zones)
        case .askPosition:
            policy.request()
            perform(gate.wanted(at: clock.now()))
        case .checkNetwork:
            sources.refreshNetwork()
            perform(settler.requestFailed())
        case .rejected(let ids, let reason): rejected(ids, reason)
        case .sensorsDisabled(let ids): onSensorsDisabled(ids)
        case .strangePlace:
            Log.info("Home Assistant shows a place for this machine that it did not tell")
            sawAnother()
        case .recall, .load, .settle, .moveToTrack, .makeHistory, .supersedeOlderPositions,
            .expire:
            performOnOutbox(effect)
        }
    }

    private func ask(_ request: Request, _ endpoint: Endpoint) {
        guard let transport else { return }
        Log.debug("asking \(request.name) by the \(endpoint.kind.title)")
        transport.ask(request, endpoint) { [weak self] answer in
            if case .failed(let problem) = answer {
                Log.debug("\(request.name) by the \(endpoint.kind.title): \(problem.text)")
            }
            self?.tell(.answer(answer))
        }
    }

    /// What keeps the outbox from it, that tells by itself; the courier rests, and begins anew with
    /// what there is then.
    private func performOnOutbox(_ effect: Courier.Effect) {
        do throws(DatabaseError) {
            switch effect {
            case .recall(let limit):
                let live = try outbox.entries(.location, route: .live, after: 0, limit: limit)
                tell(.recalled(live: live, lastDelivered: try outbox.lastDelivered()))
            case .load(let liveAfter, let eventsAfter, let sensorsAfter, let trackLimit):
                tell(.rows(try rows(liveAfter, eventsAfter, sensorsAfter, trackLimit)))
                answerWaiters(goneAs: .lostWithDatabase)
            case .settle(let ids, let fate): try settle(ids, fate)
            case .moveToTrack(let cutoff, let keepingNewest):
                let moved = try outbox.moveToTrack(
                    acceptedBefore: cutoff, keepingNewest: keepingNewest)
                if moved > 0 {
                    Log.info("\(moved) positions are no longer news and go home as track")
                }
            case .makeHistory(let number):
                let moved = try outbox.moveToTrack(through: number)
                Log.info(
                    "Home Assistant has reloaded our device: \(moved) positions that it may have "
                        + "missed go home as track")
            case .supersedeOlderPositions:
                try outbox.supersedeOlderPositions()
                answerWaiters(goneAs: .superseded)
            case .expire:
                let now = clock.now().unixTime
                try outbox.expire(at: now, acceptedBefore: queueTTL.map { now - $0 })
                answerWaiters(goneAs: .expired)
            default: break
            }
        } catch {
            tell(.storeFailed)
        }
    }

    private func settle(_ ids: [EntryID], _ fate: Fate) throws(DatabaseError) {
        #if HOMING_FAILPOINTS
            Failpoint.provedNotSettled.reach()
        #endif
        // It is proved, whether or not the outbox can note it.
        if fate == .deliveredLive || fate == .deliveredTrack { deliveredAt = clock.now().unixTime }
        answerWaiters(ids, fate)
        onSettled(ids, fate)
        try outbox.settle(ids, as: fate)
    }

    private func rows(
        _ liveAfter: Int64?, _ eventsAfter: Int64, _ sensorsAfter: Int64, _ trackLimit: Int
    ) throws(DatabaseError) -> OutboxRows {
        let limit = Self.rowsAtOnce
        var rows = OutboxRows(
            events: try outbox.entries(.events, route: .live, after: eventsAfter, limit: limit),
            track: try outbox.entries(.location, route: .track, after: 0, limit: trackLimit),
            sensors: try outbox.entries(.sensors, route: .live, after: sensorsAfter, limit: limit))
        if let liveAfter {
            rows.live = try outbox.entries(.location, route: .live, after: liveAfter, limit: limit)
        } else {
            let first = try outbox.entries(.location, route: .live, after: 0, limit: 1)
            rows.liveWaits = !first.isEmpty
        }
        rows.mayBeMore =
            rows.live.count == limit || rows.events.count == limit || rows.sensors.count == limit
            || !rows.track.isEmpty
        return rows
    }
}

extension Request {
    /// The command's name for the journal.
    var name: String {
        switch self {
        case .configuration: "get_config"
        case .zones: "get_zones"
        case .receipt: "a receipt"
        case .location(let entry): "update_location \(entry.id.number)"
        case .track(let entries): "homing_track of \(entries.count) positions"
        case .event(let entry): "fire_event \(entry.id.number)"
        case .sensors(let entries): "update_sensor_states of \(entries.count)"
        case .registerSensor(let entry): "register_sensor \(entry.id.number)"
        }
    }
}

extension EndpointProblem {
    /// The problem in people's words.
    var text: String {
        switch self {
        case .network(let text), .tls(let text), .foreign(let text): text
        case .busy(let retryAfter): "busy; asks for \(Int(retryAfter)) s of peace"
        case .unavailable(let status): "the proxy answers \(status): nobody behind it"
        case .unauthorized(let status): "refuses us with status \(status)"
        case .unknownWebhook: "does not know our webhook, or is starting"
        case .keyRefused: "could not open what we sealed"
        case .gone: "says that the registration was deleted"
        case .trackerNotLoaded: "has not loaded its device tracker yet"
        case .trackerMissing: "shows no device tracker of ours"
        }
    }
}
