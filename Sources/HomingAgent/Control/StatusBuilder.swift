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

/// Reads the state of the machine, of its homes and of the desk into one report.
struct StatusBuilder {
    let machine: MachineStatus
    let homes: [HomeState]
    let desk: DeskState
    let now: Moment
    let startedAt: Moment

    private var receiver: ReceiverState { machine.receiver }

    func report() -> StatusReport {
        var report = StatusReport(
            version: homingVersion, processID: getpid(), uptime: now.uptime - startedAt.uptime,
            network: network, position: position, skipped: Self.named(receiver.skipped),
            warnings: Self.warnings(machine.warnings),
            homes: homes.map { home in
                HomeReport(state: home, desk: desk, fix: receiver.lastFix?.fix, now: now).report()
            })
        report.held = receiver.held
        report.lookUp = lookUp
        report.data = data
        report.thrift = machine.thrift.map { $0.text(quiet: machine.quietHours) }
        return report
    }

    private var data: StatusReport.DataUsed {
        let use = machine.dataUse
        let bytes = DataUse.Kind.allCases.map { ($0.rawValue, use.used(by: $0)) }
        return StatusReport.DataUsed(
            month: use.monthText,
            bytes: Dictionary(uniqueKeysWithValues: bytes.filter { $0.1 > 0 }),
            total: use.total, metered: use.metered, budget: machine.dataBudget)
    }

    private var network: StatusReport.Network {
        guard case .known(let network)? = machine.network else {
            return StatusReport.Network(
                connection: "unknown: NetworkManager is not running",
                connectivity: Connectivity.unknown.rawValue, metered: false)
        }
        return StatusReport.Network(
            connection: network.primary?.text ?? connectionWithoutPrimary(network),
            connectivity: network.connectivity.rawValue, metered: network.metered)
    }

    /// The networks where no connection carries the default route, in people's words.
    private func connectionWithoutPrimary(_ network: NetworkState.Network) -> String {
        let titles = machine.links?.links.map(\.title) ?? []
        return titles.isEmpty ? network.textWithoutPrimary : listed(titles, "and")
    }

    private var position: StatusReport.Position {
        StatusReport.Position(
            gpsd: receiver.gpsd.text, detail: receiver.gpsd.detail,
            receivers: receiver.gpsd.receivers, names: receiver.names, fix: receiver.lastFix?.fix,
            age: receiver.lastFix?.age(at: now),
            frozen: receiver.frozenSince.map { now.uptime - $0 })
    }

    /// Last answer of the look-up service; `nil` where the service may not be asked.
    private var lookUp: StatusReport.LookUp? {
        switch machine.lookUp {
        case .none: machine.mayLookUp ? .init(state: "not_asked") : nil
        case .found(let fix, let at):
            .init(state: "found", age: now.uptime - at.uptime, accuracy: fix.accuracy)
        case .failed(let reason): .init(state: "failed", problem: reason)
        case .refused(let reason): .init(state: "refused", problem: reason)
        }
    }

    /// The reasons by the words that the report has for them.
    static func named(_ skipped: [SkipReason: Int]) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: skipped.map { ($0.key.rawValue, $0.value) })
    }

    /// Lists warnings in the order of `Warnable.all`.
    static func warnings(
        _ raised: [(warnable: Warnable, detail: String?)]
    ) -> [StatusReport.Warning] {
        Warnable.all.compactMap { warnable in
            raised.first { $0.warnable == warnable }.map {
                StatusReport.Warning(warnable, detail: $0.detail)
            }
        }
    }
}

extension PrimaryConnection {
    /// The connection in people's words.
    var text: String {
        switch self {
        case .wifi(let ssid, let bssid):
            "Wi-Fi \(ssid ?? "without a name")" + (bssid.map { " (\($0))" } ?? "")
        case .wired(let id, _): "cable: \(id)"
        case .other(let type, _, _): type
        }
    }
}

extension GPSDState {
    /// The state in people's words.
    var text: String {
        switch self {
        case .off: "switched off ([gpsd] enabled = false)"
        case .disconnected: "disconnected"
        case .watching(receivers: 0): "watching, without a receiver"
        case .watching: "watching"
        case .resting: "paused while parked"
        }
    }

    /// Receivers that gpsd reads; `nil` while nobody watches gpsd.
    var receivers: Int? {
        if case .watching(let receivers) = self { return receivers }
        return nil
    }

    /// Reason why gpsd is disconnected, in gpsd's or the system's words.
    var detail: String? {
        if case .disconnected(let reason) = self { return reason }
        return nil
    }
}

/// Reads the state of one home into its part of the status.
struct HomeReport {
    let state: HomeState
    let desk: DeskState
    /// The last fix that people may be shown.
    let fix: Fix?
    let now: Moment

    private var delivery: DeliveryState { state.delivery }

    func report() -> StatusReport.Home {
        var report = StatusReport.Home(
            name: state.name, registration: registration,
            atHome: delivery.route?.place.isHome ?? false,
            reason: delivery.route?.place.text ?? reasonWithoutRoute,
            endpoints: endpoints,
            nextAttempt: delivery.nextAttempt.map { max(0, $0 - now.uptime) },
            zone: fix.flatMap { state.zones.zone(at: $0.coordinate, accuracy: $0.accuracy)?.name },
            queues: state.queues.map(queue), skipped: StatusBuilder.named(state.skipped),
            push: push,
            rejections: delivery.rejections, warnings: StatusBuilder.warnings(state.warnings))
        report.knownPlace = knownPlace
        report.locationTell = state.disclosure.rawValue
        report.locationSource = state.place.source?.name
        report.sentZone = state.sentZone
        report.powerCut = state.powerCut.map {
            StatusReport.PowerCut(
                count: $0.count, after: $0.after, noticed: $0.noticed, lost: $0.lost)
        }
        return report
    }

    private var reasonWithoutRoute: String {
        switch state.registration?.standing {
        case nil: "there is no registration yet"
        case .moved: "the registration is another machine's: nothing is sent"
        case .copied: "the registration is an image's: this machine makes its own"
        case .own, .clearing: "no route is chosen yet"
        }
    }

    private var knownPlace: StatusReport.KnownPlace {
        let travels = state.place.isTravelling
        return switch state.place.verdict {
        case .unknown: .init(state: "unknown", networkTravels: travels)
        case .away: .init(state: "away", networkTravels: travels)
        case .at(_, let name, let evidence):
            .init(state: "at", name: name, evidence: evidence.key, networkTravels: travels)
        }
    }

    private var registration: StatusReport.Registration? {
        state.registration.map {
            StatusReport.Registration(
                deviceName: $0.deviceName, encrypted: $0.isSealed,
                homeAssistantVersion: delivery.homeAssistantVersion)
        }
    }

    private var endpoints: [StatusReport.Endpoint] {
        guard let addresses = delivery.addresses, let route = delivery.route else { return [] }
        return Endpoint.Kind.allCases.compactMap { kind in
            guard let url = addresses.url(of: kind) else { return nil }
            let health = delivery.health[kind]
            return StatusReport.Endpoint(
                kind: kind.rawValue, host: WebAddress(url)?.host,
                order: route.endpoints.firstIndex { $0.kind == kind }.map { $0 + 1 },
                current: delivery.current == kind, excluded: route.excluded[kind],
                lastSuccess: health?.lastSuccess?.unixTime,
                lastFailure: health?.lastFailure?.unixTime, problem: health?.problem?.text)
        }
    }

    private func queue(_ queue: HomeState.Queue) -> StatusReport.Queue {
        let fates = Fate.allCases.map { ($0.rawValue, queue.ledger[$0]) }
        let unconfirmed = state.unconfirmed(in: queue)
        return StatusReport.Queue(
            stream: queue.stream.name, queued: queue.ledger.queued,
            unconfirmed: unconfirmed > 0 ? unconfirmed : nil,
            oldestAge: queue.oldest.map { max(0, now.unixTime - $0) },
            accepted: queue.ledger.accepted, fates: Dictionary(uniqueKeysWithValues: fates))
    }

    /// Part of the status about notifications; `nil` without a registration.
    private var push: StatusReport.Push? {
        guard state.channel.isRegistered else { return nil }
        let session = state.channel.session
        var report = StatusReport.Push(
            state: "off", problem: session?.problem, way: session?.endpoint?.kind.rawValue,
            lastMessage: session?.lastMessage, lastConfirmed: session?.lastConfirmed,
            shown: desk.shown, folded: desk.folded, duplicates: session?.duplicates ?? 0,
            desktopProblem: desk.desktopProblem)
        if !desk.hasOwnDesktop || !desk.helpers.isEmpty {
            report.helpers = desk.helpers
            report.absence = desk.absence
        }
        report.relay = RelayReport(state: state, now: now).report()
        switch session?.state {
        case nil: report.problem = "the registration has no token"
        case .off: report.problem = state.channel.reason ?? "no endpoint can be used"
        case .asleep: report.state = "asleep"
        case .connecting: report.state = "connecting"
        case .open(let since):
            report.state = "open"
            report.openFor = now.uptime - since
            if state.isShared {
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
