internal import Glibc
internal import HomeAssistantAPI
internal import HomingBase
internal import HomingControl
internal import HomingDelivery
internal import HomingHealth
internal import HomingLocation
internal import HomingMachine
internal import HomingPush
internal import HomingRoutes
internal import HomingRuntime
internal import HomingSQLite

/// Reads the state of the machine, of a home and of the desk into one report.
struct StatusBuilder {
    let machine: MachineStatus
    let home: HomeState
    let desk: DeskState
    let now: Moment
    let startedAt: Moment

    private var delivery: DeliveryState { home.delivery }
    private var receiver: ReceiverState { machine.receiver }

    func report() -> StatusReport {
        var report = StatusReport(
            version: homingVersion, processID: getpid(), uptime: now.uptime - startedAt.uptime,
            registration: registration, network: network, endpoints: endpoints,
            nextAttempt: delivery.nextAttempt.map { max(0, $0 - now.uptime) },
            position: position, queues: home.queues.map(queue), skipped: skipped,
            rejections: delivery.rejections.map {
                StatusReport.Rejection(time: $0.time, what: $0.what, reason: $0.reason)
            }, warnings: warnings)
        report.held = StatusReport.Held(
            waiting: receiver.held.waiting, believed: receiver.held.believed,
            dropped: receiver.held.dropped)
        report.push = push
        return report
    }

    private var registration: StatusReport.Registration? {
        home.registration.map {
            StatusReport.Registration(
                deviceName: $0.deviceName, encrypted: $0.isSealed,
                homeAssistantVersion: delivery.homeAssistantVersion)
        }
    }

    private var network: StatusReport.Network {
        var connection = "unknown: NetworkManager is not there"
        var connectivity = Connectivity.unknown
        var metered = false
        if case .known(let network)? = machine.network {
            connection = network.primary?.text ?? "none"
            connectivity = network.connectivity
            metered = network.metered
        }
        return StatusReport.Network(
            connection: connection, connectivity: connectivity.rawValue, metered: metered,
            atHome: delivery.way?.place.isHome ?? false,
            reason: delivery.way?.place.text ?? "there is no registration yet")
    }

    private var endpoints: [StatusReport.Endpoint] {
        guard let addresses = delivery.addresses, let way = delivery.way else { return [] }
        return Endpoint.Kind.allCases.compactMap { kind in
            guard let url = addresses.url(of: kind) else { return nil }
            let health = delivery.health[kind]
            return StatusReport.Endpoint(
                kind: kind.rawValue, host: WebAddress(url)?.host,
                order: way.endpoints.firstIndex { $0.kind == kind }.map { $0 + 1 },
                current: delivery.current == kind, excluded: way.excluded[kind],
                lastSuccess: health?.lastSuccess?.unixTime,
                lastFailure: health?.lastFailure?.unixTime, problem: health?.problem?.text)
        }
    }

    private var position: StatusReport.Position {
        let (gpsd, detail) = (receiver.gpsd.text, receiver.gpsd.detail)
        guard let last = receiver.lastFix else {
            return StatusReport.Position(gpsd: gpsd, gpsdDetail: detail)
        }
        let fix = last.fix
        let zone = home.zones.zone(at: fix.coordinate, accuracy: fix.accuracy)
        var position = StatusReport.Position(
            gpsd: gpsd, gpsdDetail: detail, mode: fix.mode.rawValue, source: fix.source.name,
            age: now.uptime - last.at.uptime, accuracy: fix.accuracy, zone: zone?.name,
            place: StatusReport.Place(
                latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude))
        position.timeSource = fix.timeSource.name
        position.frozen = receiver.frozenSince.map { now.uptime - $0 }
        return position
    }

    /// Those that the machine did not believe, and those that this home was not told.
    private var skipped: [String: Int] {
        let all = receiver.skipped.merging(home.skipped, uniquingKeysWith: +)
        return Dictionary(uniqueKeysWithValues: all.map { ($0.key.rawValue, $0.value) })
    }

    private func queue(_ queue: HomeState.Queue) -> StatusReport.Queue {
        var fates: [String: Int] = [:]
        for fate in Fate.allCases { fates[fate.rawValue] = queue.ledger[fate] }
        return StatusReport.Queue(
            stream: queue.stream.name, queued: queue.ledger.queued,
            oldestAge: queue.oldest.map { max(0, now.unixTime - $0) },
            accepted: queue.ledger.accepted, fates: fates)
    }

    /// In the order of `Warnable.all`.
    private var warnings: [StatusReport.Warning] {
        let raised = home.warnings + machine.warnings
        return Warnable.all.compactMap { warnable in
            raised.first { $0.warnable == warnable }.map {
                StatusReport.Warning(
                    code: warnable.code, severity: warnable.severity.rawValue,
                    text: warnable.text, detail: $0.detail, hint: warnable.hint)
            }
        }
    }

    /// What the status says of notifications; `nil` without a registration.
    private var push: StatusReport.Push? {
        guard home.channel.isRegistered else { return nil }
        let session = home.channel.session
        var report = StatusReport.Push(
            state: "off", problem: session?.problem, way: session?.way?.kind.rawValue,
            lastMessage: session?.lastMessage, lastConfirmed: session?.lastConfirmed,
            shown: desk.shown, folded: desk.folded, duplicates: session?.duplicates ?? 0,
            desktopProblem: desk.desktopProblem)
        if !desk.hasOwnDesktop || !desk.helpers.isEmpty {
            report.helpers = desk.helpers
            report.absence = desk.absence
        }
        switch session?.state {
        case nil: report.problem = "the registration has no token"
        case .off: report.problem = home.channel.reason ?? "there is no way"
        case .asleep: report.state = "asleep"
        case .connecting: report.state = "connecting"
        case .open(let since):
            report.state = "open"
            report.openFor = now.uptime - since
            if home.isShared {
                report.problem =
                    "another machine uses this registration; only one of the two gets them"
            }
        case .waiting(let until):
            report.state = "waiting"
            report.nextAttempt = max(0, until - now.uptime)
        case .stopped: report.state = "stopped"
        }
        return report
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
