internal import Glibc
internal import HomeAssistantAPI
internal import HomingBase
internal import HomingControl
internal import HomingDelivery
internal import HomingHealth
internal import HomingLocation
internal import HomingMachine
internal import HomingRoutes
internal import HomingRuntime
internal import HomingSQLite

/// Reads the whole state into one report.
@LoopActor struct StatusBuilder {
    let pipeline: Pipeline
    let registration: Registration?
    let version: String
    let startedAt: Moment
    let push: PushStage

    func report() -> StatusReport {
        let now = pipeline.clock.now()
        var report = StatusReport(
            version: version, processID: getpid(), uptime: now.uptime - startedAt.uptime,
            registration: registrationPart(), network: networkPart(), endpoints: endpoints(now),
            nextAttempt: pipeline.courier.nextAttempt.map { max(0, $0 - now.uptime) },
            position: position(now), queues: queues(now),
            skipped: Dictionary(
                uniqueKeysWithValues: pipeline.policy.skipped.map { ($0.key.rawValue, $0.value) }),
            rejections: pipeline.rejections.map {
                StatusReport.Rejection(time: $0.time, what: $0.what, reason: $0.reason)
            }, warnings: warnings())
        let held = pipeline.policy.held
        report.held = StatusReport.Held(
            waiting: held.waiting, believed: held.believed, dropped: held.dropped)
        report.push = push.report(now)
        return report
    }

    private func registrationPart() -> StatusReport.Registration? {
        registration.map {
            StatusReport.Registration(
                deviceName: $0.deviceName, encrypted: $0.isSealed,
                homeAssistantVersion: pipeline.homeAssistantVersion)
        }
    }

    private func networkPart() -> StatusReport.Network {
        var connection = "unknown: NetworkManager is not there"
        var connectivity = Connectivity.unknown
        var metered = false
        if case .known(let network)? = pipeline.settler.believed {
            connection = network.primary?.text ?? "none"
            connectivity = network.connectivity
            metered = network.metered
        }
        return StatusReport.Network(
            connection: connection, connectivity: connectivity.rawValue, metered: metered,
            atHome: pipeline.way?.place.isHome ?? false,
            reason: pipeline.way?.place.text ?? "there is no registration yet")
    }

    private func endpoints(_ now: Moment) -> [StatusReport.Endpoint] {
        guard let chooser = pipeline.chooser, let way = pipeline.way else { return [] }
        return Endpoint.Kind.allCases.compactMap { kind in
            guard let url = chooser.addresses.url(of: kind) else { return nil }
            let health = pipeline.courier.health[kind]
            return StatusReport.Endpoint(
                kind: kind.rawValue, host: WebAddress(url)?.host,
                order: way.endpoints.firstIndex { $0.kind == kind }.map { $0 + 1 },
                current: pipeline.courier.current == kind, excluded: way.excluded[kind],
                lastSuccess: health?.lastSuccess?.unixTime,
                lastFailure: health?.lastFailure?.unixTime, problem: health?.problem?.text)
        }
    }

    private func position(_ now: Moment) -> StatusReport.Position {
        let (gpsd, detail) = (pipeline.gpsd.text, pipeline.gpsd.detail)
        guard let last = pipeline.lastFix else {
            return StatusReport.Position(gpsd: gpsd, gpsdDetail: detail)
        }
        let fix = last.fix
        let zone = pipeline.policy.zones.zone(at: fix.coordinate, accuracy: fix.accuracy)
        var position = StatusReport.Position(
            gpsd: gpsd, gpsdDetail: detail, mode: fix.mode.rawValue, source: fix.source.name,
            age: now.uptime - last.at.uptime, accuracy: fix.accuracy, zone: zone?.name,
            place: StatusReport.Place(
                latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude))
        position.timeSource = fix.timeSource.name
        position.frozen = pipeline.policy.frozenSince.map { now.uptime - $0 }
        return position
    }

    private func queues(_ now: Moment) -> [StatusReport.Queue] {
        var queues: [StatusReport.Queue] = []
        for stream in Stream.allCases {
            // An outbox that cannot be read has its warning; the rest of the report is still true.
            do throws(DatabaseError) { queues.append(try queue(stream, now)) } catch { continue }
        }
        return queues
    }

    private func queue(_ stream: Stream, _ now: Moment) throws(DatabaseError) -> StatusReport.Queue
    {
        let ledger = try pipeline.outbox.ledger(stream)
        let oldest = try pipeline.outbox.oldest(stream)
        var fates: [String: Int] = [:]
        for fate in Fate.allCases { fates[fate.rawValue] = ledger[fate] }
        return StatusReport.Queue(
            stream: stream.name, queued: ledger.queued,
            oldestAge: oldest.map { max(0, now.unixTime - $0) }, accepted: ledger.accepted,
            fates: fates)
    }

    private func warnings() -> [StatusReport.Warning] {
        pipeline.health.visible.map { warnable, detail in
            StatusReport.Warning(
                code: warnable.code, severity: warnable.severity.rawValue, text: warnable.text,
                detail: detail, hint: warnable.hint)
        }
    }
}

extension PrimaryConnection {
    /// The connection in people's words.
    var text: String {
        switch self {
        case .wifi(let ssid, let bssid):
            "Wi-Fi \(ssid ?? "without a name")" + (bssid.map { " (\($0))" } ?? "")
        case .wired(let id, _): "wired: \(id)"
        case .other(let type, _, _): type
        }
    }
}

extension GPSDState {
    /// The state in people's words.
    var text: String {
        switch self {
        case .off: "switched off ([gpsd] enabled)"
        case .disconnected: "disconnected"
        case .watching(receivers: 0): "watching, without a receiver"
        case .watching: "watching"
        case .resting: "resting while still"
        }
    }

    /// Why it is disconnected, in gpsd's or the system's words.
    var detail: String? {
        if case .disconnected(let reason) = self { return reason }
        return nil
    }
}
